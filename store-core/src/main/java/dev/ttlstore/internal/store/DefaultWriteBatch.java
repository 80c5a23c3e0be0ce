package dev.ttlstore.internal.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.WriteBatch;
import dev.ttlstore.engine.Row;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.base.Reply;
import dev.ttlstore.internal.commit.Mutation;
import dev.ttlstore.internal.commit.Mutations;

/** Collects conditions and mutations of several groups, and submits them as one. */
final class DefaultWriteBatch implements WriteBatch {

    private final RowAccess access;
    private final List<Mutations.Condition> conditions = new ArrayList<>();
    private final List<Mutation<?>> writes = new ArrayList<>();

    DefaultWriteBatch(RowAccess access) {
        this.access = access;
    }

    @Override
    public WriteBatch requireVersion(Group<?> group, String key, long version) {
        return require(group, key, live -> live != null && live.version() == version);
    }

    @Override
    public WriteBatch requireAbsent(Group<?> group, String key) {
        return require(group, key, live -> live == null);
    }

    @Override
    public WriteBatch requirePresent(Group<?> group, String key) {
        return require(group, key, live -> live != null);
    }

    private WriteBatch require(Group<?> group, String key, Predicate<@Nullable Row> test) {
        conditions.add(new Mutations.Condition(mutations(group).rowKey(key), test));
        return this;
    }

    @Override
    public <V> WriteBatch put(Group<V> group, String key, V value, Expiry expiry) {
        return add(mutations(group).put(key, value, expiry));
    }

    @Override
    public WriteBatch delete(Group<?> group, String key) {
        return add(mutations(group).delete(key));
    }

    @Override
    public <V> WriteBatch delete(Group<V> group, String key, V expected) {
        return add(mutations(group).delete(key, expected));
    }

    @Override
    public WriteBatch expire(Group<?> group, String key, Expiry expiry) {
        return add(mutations(group).reschedule(key, expiry));
    }

    private WriteBatch add(Mutation<?> write) {
        writes.add(write);
        return this;
    }

    private <V> GroupMutations<V> mutations(Group<V> group) {
        Objects.requireNonNull(group, "'group' must not be null");
        if (group instanceof DefaultGroup<V> own && own.access() == access) {
            return own.mutations();
        }
        throw new IllegalArgumentException(
                "'group' must come from the store, scope or transaction of the batch, but is " + group);
    }

    @Override
    public boolean write() {
        return access.submit(mutation());
    }

    @Override
    public CompletableFuture<Boolean> writeAsync() {
        access.requireAsync();
        CompletableFuture<Boolean> written = access.context().meter().future();
        access.submitAsync(mutation(), Reply.to(written));
        return written;
    }

    private Mutation<Boolean> mutation() {
        access.requireUsable();
        return Mutations.together(List.copyOf(conditions), List.copyOf(writes));
    }

    /** Returns a text with the numbers of conditions and writes. */
    @Override
    public String toString() {
        return "WriteBatch[conditions=" + conditions.size() + ", writes=" + writes.size() + "]";
    }
}
