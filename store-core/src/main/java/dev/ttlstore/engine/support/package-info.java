/**
 * Holds code that depends on no kind of database, for engines and the store: the decision what a request does to a
 * row, the order of deliveries, what an engine keeps in memory if one process owns its data, and threads, bounds of
 * memory and logging that survive a full heap. Requests with the rows that they name come in, or work to run. Outcomes
 * go out, with log messages and threads that do the work.
 *
 * <p>For authors of engines. It may change between minor releases.
 */
@NullMarked
package dev.ttlstore.engine.support;

import org.jspecify.annotations.NullMarked;
