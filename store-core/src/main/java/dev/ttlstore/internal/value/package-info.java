/**
 * The conversion of values to stored bytes and back.
 *
 * <p>Belongs here: codecs and ciphers. May depend on the API, {@code exception} and {@code engine}, but on no other
 * internal package.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.value;

import org.jspecify.annotations.NullMarked;
