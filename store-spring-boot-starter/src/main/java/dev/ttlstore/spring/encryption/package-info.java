/**
 * Encryption of values at rest with Tink. The keys are in a keyset outside the store. The properties
 * {@code store.encryption} name the groups to encrypt.
 */
@NullMarked
package dev.ttlstore.spring.encryption;

import org.jspecify.annotations.NullMarked;
