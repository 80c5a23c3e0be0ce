package dev.ttlstore.internal.store;

import dev.ttlstore.internal.commit.Mutation;

/**
 * A write that applies only if an entry has not changed since it was read.
 *
 * @param mutation the conditional write
 * @param answer the caller's answer if it applies
 * @param <V> the type of the values
 */
record Attempt<V>(Mutation<Boolean> mutation, V answer) {}
