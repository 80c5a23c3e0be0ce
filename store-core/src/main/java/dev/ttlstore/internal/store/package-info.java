/**
 * Implementations of the public interfaces: stores, scopes, transactions and groups.
 *
 * <p>Belongs here: classes that validate and encode what callers pass, pass it on, and decode the result. They make
 * no decisions. {@code DefaultStoreFactory} assembles a store from all other internal packages. So this package may
 * depend on each of them, on the API, {@code event}, {@code expiry}, {@code exception} and {@code engine}, but on no
 * engine.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.store;

import org.jspecify.annotations.NullMarked;
