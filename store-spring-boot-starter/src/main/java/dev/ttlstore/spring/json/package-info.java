/**
 * JSON values through Jackson. Codecs store only values that read back as equal ones; they refuse a type or a value
 * that would come back changed.
 */
@NullMarked
package dev.ttlstore.spring.json;

import org.jspecify.annotations.NullMarked;
