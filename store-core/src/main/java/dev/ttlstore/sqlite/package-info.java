/**
 * The embedded engine: one SQLite file in WAL mode, or SQLite's memory. Internal: found by its provider, and free to change
 * in any release.
 */
@NullMarked
package dev.ttlstore.sqlite;

import org.jspecify.annotations.NullMarked;
