package dev.ttlstore.internal.access;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Request;
import dev.ttlstore.event.Watch;
import dev.ttlstore.internal.base.Reply;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.commit.JoinedTransaction;
import dev.ttlstore.internal.watch.WatchRequest;

/**
 * Reaches rows in the application's transaction if the calling thread is in one, and directly if not. Each call finds out, because
 * all threads share this object.
 *
 * @param store reaches rows directly
 * @param pipeline knows the transactions
 * @param ofThreads the loads of each thread in its transactions, which no other thread waits for
 */
public record JoiningAccess(StoreAccess store, CommitPipeline pipeline, ThreadLocal<SingleFlight> ofThreads)
        implements RowAccess {

    /**
     * Creates the access.
     *
     * @param store reaches rows directly
     * @param pipeline knows the transactions
     */
    public JoiningAccess(StoreAccess store, CommitPipeline pipeline) {
        this(store, pipeline, ThreadLocal.withInitial(SingleFlight::new));
    }

    private RowAccess here() {
        JoinedTransaction joined = pipeline.joined();
        return joined == null ? store : within(joined);
    }

    private TransactionAccess within(JoinedTransaction joined) {
        store.requireUsable();
        return new TransactionAccess(joined.view(), store.context());
    }

    /**
     * Runs work that may write.
     *
     * @param joined the transaction of the application that this thread is in
     * @param work the work, with the access to rows in the transaction
     * @return its answer
     * @param <R> the type of the answer
     */
    public <R extends @Nullable Object> R write(JoinedTransaction joined, Function<TransactionAccess, R> work) {
        return store.holding(() -> joined.write(() -> work.apply(within(joined))));
    }

    @Override
    public StoreContext context() {
        return store.context();
    }

    @Override
    public void requireUsable() {
        store.requireUsable();
    }

    @Override
    public void requireAsync() {
        store.requireAsync();
        if (pipeline.joined() != null) {
            throw new IllegalStateException(
                    "This thread is in a transaction of the application, which an asynchronous write would not be part of;"
                            + " write synchronously, or after the transaction, or by store.outsideTransaction()");
        }
    }

    @Override
    public Kind kind() {
        return pipeline.joined() == null ? store.kind() : Kind.TRANSACTION;
    }

    @Override
    public SingleFlight loads() {
        return pipeline.joined() == null ? store.loads() : ofThreads.get();
    }

    @Override
    public long now() {
        return here().now();
    }

    @Override
    public Reads reads() {
        return here().reads();
    }

    @Override
    public Answer submit(Request request) {
        JoinedTransaction joined = pipeline.joined();
        return joined == null ? store.submit(request) : write(joined, access -> access.submit(request));
    }

    @Override
    public void submitAsync(Request request, Reply<Answer> reply) {
        requireAsync();
        store.submitAsync(request, reply);
    }

    @Override
    public long clear(GroupRange groups) {
        JoinedTransaction joined = pipeline.joined();
        return joined == null ? store.clear(groups) : write(joined, access -> access.clear(groups));
    }

    @Override
    public void clearAsync(String group, CompletableFuture<Long> future) {
        requireAsync();
        store.clearAsync(group, future);
    }

    @Override
    public Watch watch(WatchRequest request) {
        return store.watch(request);
    }
}
