/** Encryption of values at rest with Tink. The keys are not in the store. */
@NullMarked
package dev.ttlstore.spring.encryption;

import org.jspecify.annotations.NullMarked;
