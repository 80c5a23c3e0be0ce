/**
 * Holds code that depends on no kind of database, for engines and the store: the order of deliveries, what an engine
 * keeps in memory if one process owns its data, and threads, deadlines, bounds of memory and logging that survive a full
 * heap. Rows, times and work to run come in. Counts, log messages and threads that do the work go out.
 *
 * <p>For authors of engines. It may change between minor releases.
 */
@NullMarked
package dev.ttlstore.engine.support;

import org.jspecify.annotations.NullMarked;
