/**
 * Holds values as JSON through Jackson. Types and values of the application come in, or stored JSON. Codecs go out
 * that store only values which read back as equal ones; they refuse a type or a value that would come back changed.
 */
@NullMarked
package dev.ttlstore.spring.json;

import org.jspecify.annotations.NullMarked;
