/**
 * The way of a write: mutations are gathered, the engine loads the rows that they name, they decide in memory, the engine
 * stores what changed in one transaction, and the events are handed on in commit order.
 *
 * <p>Belongs here: decisions, the draft of a commit, quotas, and the pipeline that runs them. Depends on the engine SPI,
 * {@code internal.base}, {@code internal.cache}, {@code internal.watch} and {@code internal.stats}; it knows neither purges nor
 * deliveries, which learn of commits through {@link dev.ttlstore.internal.commit.CommitListener}.
 *
 * <p>Internal: no part of the API, and free to change in any release.
 */
@NullMarked
package dev.ttlstore.internal.commit;

import org.jspecify.annotations.NullMarked;
