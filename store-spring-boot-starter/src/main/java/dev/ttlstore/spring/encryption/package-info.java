/**
 * Holds the encryption of values at rest with Tink. The properties {@code store.encryption} come in, and a keyset,
 * which is never in the store. A cipher for the named groups goes out to the builder of the store.
 */
@NullMarked
package dev.ttlstore.spring.encryption;

import org.jspecify.annotations.NullMarked;
