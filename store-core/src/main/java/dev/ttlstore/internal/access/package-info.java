/**
 * The path from a group to its rows: directly or within a transaction, row by row, in pages, and in walks over a
 * whole group.
 *
 * <p>Belongs here: classes that read and write rows for groups. May depend on the API, {@code event}, {@code
 * exception}, {@code engine}, {@code internal.base}, {@code internal.cache}, {@code internal.watch}, {@code
 * internal.stats}, {@code internal.commit} and {@code internal.value}. It knows neither groups nor stores.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.access;

import org.jspecify.annotations.NullMarked;
