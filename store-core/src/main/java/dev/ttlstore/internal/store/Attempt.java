package dev.ttlstore.internal.store;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Operation;

/**
 * What a caller's code makes of an entry that was read: a write that applies only if the entry has not changed since,
 * and the answer.
 *
 * @param write the write, on the condition that the entry has not changed; null if there is nothing to write
 * @param answer the caller's answer, if the write has applied
 * @param <A> the type of the answer
 */
record Attempt<A>(@Nullable Operation write, A answer) {}
