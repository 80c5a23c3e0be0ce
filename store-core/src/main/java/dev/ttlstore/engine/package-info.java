/**
 * The SPI of engines, and the rows that pass through it: load and store rows in bulk, scan them in order, and run the
 * few range commands. An engine decides nothing. It depends only on this package and on
 * {@code dev.ttlstore.exception}. This package depends on nothing else of the store.
 *
 * <p>This package is for authors of engines. It may change between minor releases.
 */
@NullMarked
package dev.ttlstore.engine;

import org.jspecify.annotations.NullMarked;
