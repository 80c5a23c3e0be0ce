/**
 * Holds encryption of values at rest with Tink, and its keysets. The groups that {@code store.encryption} names come
 * in, with a keyset from outside the store, and values to encrypt or decrypt. Encrypted values go out to the store,
 * each bound to its group and key, and decrypted ones go back.
 */
@NullMarked
package dev.ttlstore.spring.encryption;

import org.jspecify.annotations.NullMarked;
