/**
 * What an engine must do, and the rows that pass through it: load and store rows in bulk, scan them in order, and run the
 * few range commands. An engine decides nothing; it depends on this package and on {@code dev.ttlstore.exception} alone, and
 * this package on nothing else of the store.
 *
 * <p>This package is for those who write an engine. It may change between minor releases.
 */
@NullMarked
package dev.ttlstore.engine;

import org.jspecify.annotations.NullMarked;
