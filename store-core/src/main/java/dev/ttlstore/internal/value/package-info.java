/**
 * Holds the conversion of values: codecs, the size limit, and the encryption of groups. Values of the application come
 * in, or stored bytes. Bytes to store go out, or values; what cannot be read throws, or counts as absent.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.value;

import org.jspecify.annotations.NullMarked;
