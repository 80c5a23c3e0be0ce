package dev.ttlstore.internal.commit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

import dev.ttlstore.engine.Command;
import dev.ttlstore.engine.Command.Cleared;
import dev.ttlstore.engine.Command.Forgotten;
import dev.ttlstore.engine.Deliveries.Backlog;
import dev.ttlstore.engine.DeliveryCommand;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.exception.QuotaExceededException.Amounts;
import dev.ttlstore.internal.base.ProgressLog;
import dev.ttlstore.internal.base.Reply;

/** The writes that are commands: of ranges, of deliveries, and of what is retained. Each runs in one commit or in several. Thread-safe. */
public final class StoreCommands {

    /** How many entries a purge removes in one commit at most. Larger commits write less per entry. */
    private static final int PURGE_ALONE = 16_000;

    /** The same limit while there are listeners, so that a watch can keep up. */
    private static final int PURGE_FOLLOWED = 1_000;

    /** How many deliveries or retained entries one commit removes that are no longer wanted. */
    private static final int REMOVED_AT_ONCE = 1_000;

    private final Submissions submissions;
    private final Engine engine;
    private final BooleanSupplier followed;
    private final BooleanSupplier listed;

    /**
     * Creates the writes of a store.
     *
     * @param submissions submits them
     * @param engine the engine that they change
     * @param followed whether there is a listener or a watch
     * @param listed asked during a commit: whether anybody asks which entries a purge has removed
     */
    StoreCommands(Submissions submissions, Engine engine, BooleanSupplier followed, BooleanSupplier listed) {
        this.submissions = submissions;
        this.engine = engine;
        this.followed = followed;
        this.listed = listed;
    }

    /**
     * Removes all entries of some groups: the expired ones first, with an event for each, and then all live ones in one commit, unless the
     * disk is full.
     *
     * @param groups the groups
     * @return how many live entries were removed
     */
    public long clear(GroupRange groups) {
        submissions.requireFree(groups);
        ProgressLog progress = new ProgressLog("Clearing groups");
        Cleared cleared;
        do {
            cleared = submissions.runTimed(new Command.Clear(groups));
            progress.add(cleared.removed());
        } while (cleared.more());
        return progress.done();
    }

    /**
     * Removes all entries of a group asynchronously.
     *
     * @param group the full group name
     * @param future completed with the number of removed live entries, after the listeners of the commits were called
     */
    public void clearAsync(String group, CompletableFuture<Long> future) {
        clearAsync(GroupRange.only(group), 0, future);
    }

    private void clearAsync(GroupRange group, long removedBefore, CompletableFuture<Long> whole) {
        Reply<Cleared> reply = new Reply<>(whole, cleared -> {
            long removed = removedBefore + cleared.removed();
            if (cleared.more()) {
                clearAsync(group, removed, whole);
            } else {
                whole.complete(removed);
            }
        });
        submissions.runAsync(new Command.Clear(group), reply);
    }

    /**
     * Returns the usage of a namespace.
     *
     * @param namespace the namespace
     * @return the usage of its live entries
     */
    public Amounts usage(String namespace) {
        return submissions.run(new Command.CountUsage(namespace));
    }

    /**
     * Changes subscribers or deliveries.
     *
     * @param command the change
     * @return its result
     * @param <R> the type of the result
     */
    public <R> R deliveries(DeliveryCommand<R> command) {
        return submissions.run(command);
    }

    /**
     * Removes a subscriber and its deliveries, in several commits so that others can write meanwhile. The last commit
     * removes the subscriber together with its remaining deliveries, and later commits record none for it. Until
     * then, commits still record deliveries for it.
     *
     * @param name the name of the subscriber
     */
    public void unsubscribe(String name) {
        Backlog backlog = engine.deliveries().backlog(name);
        long rounds = (backlog.pending() + backlog.dead()) / REMOVED_AT_ONCE;
        boolean gone = false;
        while (!gone) {
            // Without a limit in the end, because new deliveries may arrive as fast as they are removed.
            int limit = rounds-- >= 0 ? REMOVED_AT_ONCE : Integer.MAX_VALUE;
            gone = submissions.run(new DeliveryCommand.Unsubscribe(name, limit));
        }
    }

    /**
     * Removes expired entries in one commit. The commit ends after the current step if another writer waits, or if the
     * purging thread is interrupted. If it ends early, the engine's background work catches up before this method returns.
     *
     * @param groups the groups
     * @param until the time by which they have expired
     * @return the removed rows, or how many they were if nobody asks for them; and whether there are more
     */
    public PurgeResult purge(GroupRange groups, long until) {
        Thread purging = Thread.currentThread();
        int most = followed.getAsBoolean() ? PURGE_FOLLOWED : PURGE_ALONE;
        boolean wasInterrupted = purging.isInterrupted(); // a thread that commits hides it meanwhile
        BooleanSupplier goOn = () -> submissions.isIdle() && !wasInterrupted && !purging.isInterrupted();
        PurgeResult purged = submissions.run(new Command.Purge(groups, until, most, goOn, listed));
        if (purged.more() && purged.count() < most) {
            engine.settle();
        }
        return purged;
    }

    /**
     * Removes all that is stored of some groups: their entries as {@link #clear} does, and then, in several commits so that others can
     * write meanwhile, their retained entries and the deliveries of their expiries, also dead letters.
     *
     * @param groups the groups
     */
    public void erase(GroupRange groups) {
        long unused = clear(groups);
        ProgressLog progress = new ProgressLog("Erasing groups");
        List<Forgotten> retained = List.of(new Forgotten(groups, Long.MAX_VALUE));
        untilNone(progress, () -> forget(retained, REMOVED_AT_ONCE));
        for (Subscriber subscriber : engine.deliveries().subscribers()) {
            String name = subscriber.name(); // whose groups may have been others when a delivery was recorded
            untilNone(progress, () -> submissions.run(new DeliveryCommand.Erase(name, groups, REMOVED_AT_ONCE)));
        }
    }

    private static void untilNone(ProgressLog progress, IntSupplier remove) {
        int removed;
        do {
            removed = remove.getAsInt();
            progress.add(removed);
        } while (removed > 0);
    }

    /**
     * Removes retained entries.
     *
     * @param groups the groups, and what they forget
     * @param limit how many at most
     * @return how many have been removed
     */
    public int forget(List<Forgotten> groups, int limit) {
        return submissions.run(new Command.Forget(groups, limit));
    }

    /**
     * Lets retained entries expire now whose expiry comes from a clock that was ahead.
     *
     * @param limit how many at most
     * @return how many were changed
     */
    public int mendRetained(int limit) {
        return submissions.run(new Command.MendRetained(limit));
    }
}
