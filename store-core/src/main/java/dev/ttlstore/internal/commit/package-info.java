/**
 * Holds the path of a write: requests of several callers share a batch, which the engine commits, and what the store
 * has in memory follows. Requests and commands come in from callers, and commits of other processes from the engine.
 * Batches go out to the engine, then events to {@code internal.watch}, answers to callers, and the news of a commit to
 * a {@code CommitListener}.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.commit;

import org.jspecify.annotations.NullMarked;
