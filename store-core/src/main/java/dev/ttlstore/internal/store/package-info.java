/**
 * Implementations of the public interfaces: stores, scopes, transactions and groups. A class here validates and
 * encodes what callers pass, passes it on, and decodes what comes back; it decides nothing.
 * {@code DefaultStoreFactory} assembles a store from all other internal packages. So this package may depend on each
 * of them, but on no engine.
 */
@NullMarked
package dev.ttlstore.internal.store;

import org.jspecify.annotations.NullMarked;
