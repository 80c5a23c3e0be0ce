package dev.ttlstore.internal.commit;

import java.util.List;

import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.RemoteChanges;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.OnDemandThread;

/**
 * Passes on what other processes have committed: changed rows to the cache, which drops them, events to listeners and watches, in
 * a thread of its own, and times to those that wait for the next expiry. The engine calls it between the commits of this store, in
 * the order of all commits.
 */
final class RemoteCommits implements RemoteChanges {

    private final CommitContext context;
    private final OnDemandThread teller;
    private volatile boolean closed;

    RemoteCommits(CommitContext context) {
        this.context = context;
        this.teller = new OnDemandThread(
                BackgroundThreads.named("ttl-store-remote"),
                "Events of other processes",
                context.dispatcher()::deliverSoFar,
                false);
    }

    @Override
    public boolean hasRoom() {
        return closed || context.dispatcher().hasRoom();
    }

    @Override
    public void heldBack(List<Change> changes) {
        changes.forEach(this::drop);
    }

    @Override
    public void released(List<Change> changes) {
        if (!closed && context.dispatcher().enqueueRemote(ChangeEvents.of(changes, group -> false))) {
            teller.wake();
        }
    }

    @Override
    public void unreported(long sequence) {
        if (!closed) {
            context.dispatcher().lost(sequence);
            teller.wake();
        }
    }

    private void drop(Change change) {
        if (change.kind() == Change.Kind.GROUP_DELETED) {
            context.cache().dropGroup(change.group());
        } else {
            context.cache().drop(new RowKey(change.group(), change.key()));
        }
    }

    @Override
    public void wake(long dueBefore, boolean recorded) {
        context.listener().get().committed(context.settings().clock().now(), dueBefore, recorded);
    }

    @Override
    public void lost(long sequence) {
        context.cache().dropAll();
        unreported(sequence);
        context.listener().get().lost();
        wake(context.settings().clock().now(), true); // anything may have become due
    }

    /** Ignores later reports, because nobody delivers their events any more. */
    void close() {
        closed = true;
        teller.close();
    }
}
