/**
 * Decides what a commit does, for engines that load rows and store rows. Batches of requests, commands and what
 * transactions have decided come in, with the rows that they name. Answers go out to the store, and the changed rows
 * and all that has happened to the engine.
 *
 * <p>For authors of engines. It may change between minor releases.
 */
@NullMarked
package dev.ttlstore.engine.commit;

import org.jspecify.annotations.NullMarked;
