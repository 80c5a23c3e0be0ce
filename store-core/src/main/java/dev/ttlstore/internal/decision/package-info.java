/**
 * What writes ask for, as data, and the one place that decides what that does to a row. In come {@linkplain dev.ttlstore.internal.decision.Request
 * requests}: conditions, effects and rules of expiry for rows that callers name. Out come {@linkplain dev.ttlstore.internal.decision.Outcome outcomes}, from
 * which the answers, the events, the cache, the usage and the log follow; nothing here does I/O.
 */
@NullMarked
package dev.ttlstore.internal.decision;

import org.jspecify.annotations.NullMarked;
