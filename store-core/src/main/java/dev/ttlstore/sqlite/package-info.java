/**
 * Holds the embedded engine: one SQLite file in WAL mode, or SQLite's memory. Rows and commands of the store come in.
 * SQL goes to the file, which this package also creates, locks, migrates, checks, repairs and backs up;
 * {@link dev.ttlstore.sqlite.Sqlite} has the settings.
 *
 * <p>Everything but {@code Sqlite} is internal, and may change in any release.
 */
@NullMarked
package dev.ttlstore.sqlite;

import org.jspecify.annotations.NullMarked;
