/**
 * Holds the implementations of the API: stores, scopes, groups and transactions. Calls of the application come in, and
 * are validated and encoded. Requests and reads go out to {@code internal.access}, and results back, decoded;
 * {@code DefaultStoreFactory} assembles a store from all internal packages.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.store;

import org.jspecify.annotations.NullMarked;
