/** Values encrypted at rest, by Tink, with keys that are not in the store. */
@NullMarked
package dev.ttlstore.spring.encryption;

import org.jspecify.annotations.NullMarked;
