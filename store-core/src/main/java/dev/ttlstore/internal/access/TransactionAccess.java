package dev.ttlstore.internal.access;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.commit.Draft;
import dev.ttlstore.event.Watch;
import dev.ttlstore.internal.base.Reply;
import dev.ttlstore.internal.watch.WatchRequest;

/** Reaches rows within a transaction, for one thread and until the transaction ends. */
public final class TransactionAccess implements RowAccess {

    private final Draft draft;
    private final StoreContext context;
    private final Thread owner = Thread.currentThread();
    private @Nullable SingleFlight loads;
    private boolean ended;

    /**
     * Creates the access, for use by the calling thread.
     *
     * @param draft the transaction
     * @param context what all groups share
     */
    public TransactionAccess(Draft draft, StoreContext context) {
        this.draft = draft;
        this.context = context;
    }

    /**
     * Ends the access: every later call throws.
     */
    public void end() {
        ended = true;
    }

    @Override
    public StoreContext context() {
        return context;
    }

    @Override
    public void requireUsable() {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("A transaction must be used only by the thread that runs its work");
        }
        if (ended) {
            throw new IllegalStateException("The transaction has ended; start another one with transact(…)");
        }
    }

    @Override
    public void requireAsync() {
        requireUsable();
        throw noAsync();
    }

    @Override
    public Kind kind() {
        return Kind.TRANSACTION; // also on a server: it has read its rows already, or reads them without a commit
    }

    @Override
    public SingleFlight loads() {
        SingleFlight present = loads;
        if (present == null) {
            present = new SingleFlight();
            loads = present;
        }
        return present;
    }

    @Override
    public long now() {
        return draft.now();
    }

    @Override
    public Reads reads() {
        return draft.reads();
    }

    @Override
    public Answer submit(Request request) {
        return draft.apply(request);
    }

    @Override
    public void submitAsync(Request request, Reply<Answer> reply) {
        throw noAsync();
    }

    private static IllegalStateException noAsync() {
        return new IllegalStateException(
                "A transaction has no asynchronous writes; it commits as a whole when it ends");
    }

    @Override
    public void clearAsync(String group, CompletableFuture<Long> future) {
        throw noAsync();
    }

    @Override
    public Watch watch(WatchRequest request) {
        throw new IllegalStateException("A transaction cannot be watched; watch the store");
    }

    @Override
    public long clear(GroupRange groups) {
        return draft.clear(groups);
    }
}
