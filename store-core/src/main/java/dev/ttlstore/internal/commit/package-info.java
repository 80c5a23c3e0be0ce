/**
 * Holds the path of a write: requests share a commit, its draft takes what {@code engine.support} decides about loaded
 * rows, and quotas are checked. Requests and range commands come in from callers, and commits of other processes from
 * the engine. Changes of rows go out to the engine in one transaction, then events to {@code internal.watch}, answers
 * to callers, and the news of a commit to a {@code CommitListener}.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.commit;

import org.jspecify.annotations.NullMarked;
