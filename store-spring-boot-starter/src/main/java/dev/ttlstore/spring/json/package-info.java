/**
 * Holds values as JSON, through Jackson. Values of the application come in, with the types that groups declare. Bytes
 * that read back as an equal value go out; a type or a value that would come back changed is refused.
 */
@NullMarked
package dev.ttlstore.spring.json;

import org.jspecify.annotations.NullMarked;
