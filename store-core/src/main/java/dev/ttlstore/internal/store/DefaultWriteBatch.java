package dev.ttlstore.internal.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.WriteBatch;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Request;
import dev.ttlstore.internal.access.Mutation;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.base.Reply;

/** Collects conditions and operations of several groups, and submits them as one. */
final class DefaultWriteBatch implements WriteBatch {

    private final RowAccess access;
    private final List<Request.Check> conditions = new ArrayList<>();
    private final List<Operation> writes = new ArrayList<>();

    DefaultWriteBatch(RowAccess access) {
        this.access = access;
    }

    @Override
    public WriteBatch requireVersion(Group<?> group, String key, long version) {
        return require(group, key, Condition.version(version));
    }

    @Override
    public WriteBatch requireAbsent(Group<?> group, String key) {
        return require(group, key, Condition.ABSENT);
    }

    @Override
    public WriteBatch requirePresent(Group<?> group, String key) {
        return require(group, key, Condition.LIVE);
    }

    private WriteBatch require(Group<?> group, String key, Condition condition) {
        conditions.add(new Request.Check(mutations(group).rowKey(key), condition));
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
        writes.addAll(write.request().operations());
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
        return access.submit(request()).accepted();
    }

    @Override
    public CompletableFuture<Boolean> writeAsync() {
        access.requireAsync();
        CompletableFuture<Boolean> written = access.context().meter().future();
        access.submitAsync(request(), new Reply<>(written, answer -> written.complete(answer.accepted())));
        return written;
    }

    private Request request() {
        access.requireUsable();
        return new Request(List.copyOf(conditions), List.copyOf(writes));
    }

    /** Returns a text with the numbers of conditions and writes. */
    @Override
    public String toString() {
        return "WriteBatch[conditions=" + conditions.size() + ", writes=" + writes.size() + "]";
    }
}
