package dev.ttlstore.internal.commit;

import org.jspecify.annotations.Nullable;

/**
 * What a caller's code makes of an entry that was read: a write that applies only if the entry has not changed since,
 * and the answer.
 *
 * @param write the conditional write, which answers whether it has applied; null if there is nothing to write
 * @param answer the caller's answer, if the write has applied
 * @param <A> the type of the answer
 */
public record Attempt<A>(@Nullable Mutation<Boolean> write, A answer) {}
