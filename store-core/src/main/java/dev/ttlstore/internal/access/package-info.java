/**
 * The path from a group to its rows: directly or within a transaction, row by row, in pages and in walks over a whole group.
 * May depend on the commit path, the cache, events and values; knows neither groups nor stores.
 */
@NullMarked
package dev.ttlstore.internal.access;

import org.jspecify.annotations.NullMarked;
