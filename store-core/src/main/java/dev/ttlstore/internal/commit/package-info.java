/**
 * The path of a write. Requests are gathered, the engine loads the rows that they name, and the draft of the commit takes what
 * {@code internal.decision} decides about them. The engine stores the changes in one transaction, and the events are published in commit order.
 *
 * <p>Belongs here: the draft of a commit, quotas, and the pipeline that runs them. May depend on the API,
 * {@code event}, {@code exception}, {@code engine}, {@code engine.support}, {@code internal.base}, {@code
 * internal.cache}, {@code internal.decision}, {@code internal.watch} and {@code internal.stats}. It knows neither purges nor deliveries, which
 * receive commits through {@link dev.ttlstore.internal.commit.CommitListener}.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.commit;

import org.jspecify.annotations.NullMarked;
