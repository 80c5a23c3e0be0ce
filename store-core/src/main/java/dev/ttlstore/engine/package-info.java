/**
 * Holds the SPI of engines: the interfaces that an engine implements, the rows, scans and requests that pass through
 * them, and the rules for names and times. Rows to store, ranges to read, requests and commands come in
 * from the store. Rows, counts, outcomes and reports of other processes' changes go out.
 *
 * <p>For authors of engines. It may change between minor releases.
 */
@NullMarked
package dev.ttlstore.engine;

import org.jspecify.annotations.NullMarked;
