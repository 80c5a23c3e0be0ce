/**
 * The embedded engine: one SQLite file in WAL mode, or SQLite's memory.
 *
 * <p>Belongs here: everything that knows SQLite, SQL or the store's files. May depend on {@code engine}, {@code
 * engine.support} and {@code exception} only. {@link dev.ttlstore.sqlite.Sqlite} holds the engine's settings and is
 * for users. Everything else is internal, and may change in any release.
 */
@NullMarked
package dev.ttlstore.sqlite;

import org.jspecify.annotations.NullMarked;
