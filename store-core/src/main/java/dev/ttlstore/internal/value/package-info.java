/**
 * Converts values to stored bytes and back: codecs and ciphers. May depend on the public API and on rows, not on any other
 * internal package.
 */
@NullMarked
package dev.ttlstore.internal.value;

import org.jspecify.annotations.NullMarked;
