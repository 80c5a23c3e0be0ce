/**
 * Holds what an application calls: stores, scopes, groups and transactions, with their settings, results and codecs.
 * Keys, values and settings of the application come in; start with
 * {@link dev.ttlstore.Store#open(java.nio.file.Path)}. Entries and results go out, and everything else goes to the
 * implementation of {@code StoreFactory}, which {@code StoreBuilder} finds by {@code ServiceLoader}.
 */
@NullMarked
package dev.ttlstore;

import org.jspecify.annotations.NullMarked;
