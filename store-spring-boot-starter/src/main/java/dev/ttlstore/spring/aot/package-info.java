/**
 * Holds the hints for native images. The names of what the store, its near cache and sessions look up at run time come
 * in, from lists here and in {@code values}. Hints for reflection, serialization and resources go out to Spring's
 * ahead-of-time processing.
 */
@NullMarked
package dev.ttlstore.spring.aot;

import org.jspecify.annotations.NullMarked;
