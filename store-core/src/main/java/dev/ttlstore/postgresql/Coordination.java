package dev.ttlstore.postgresql;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.engine.support.WorkerThread;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.postgresql.PostgreSqlSettings.Intervals;

/**
 * What connects this node with the others: it follows their commits, notifies them of its own, and leaves them when its store closes.
 * Thread-safe.
 */
final class Coordination {

    private static final Logger log = LoggerFactory.getLogger(Coordination.class);
    private static final String END_LEASES =
            "UPDATE @lease p SET until = 0 WHERE p.node = ? AND p.slot = ANY (?) AND p.role LIKE 'deliver %'";

    /** How long a store that closes may wait for the server even if its time is up, because the server mostly answers. */
    private static final Duration LEAST_TO_LEAVE = Duration.ofMillis(250);

    private static final long STOP_MILLIS = 2_000;

    private final NodeContext node;

    private final NodeRegistry registry;
    private final Notifier notifier;
    private final LogFollower follower;
    private final @Nullable Listener listener;
    private final List<WorkerThread> threads;

    Coordination(NodeContext node, PostgreSqlSettings settings) {
        Intervals intervals = settings.intervals;
        this.node = node;
        this.registry = new NodeRegistry(node, settings.schema, intervals);
        this.notifier = new Notifier(node, registry, intervals);
        this.follower = new LogFollower(node, settings.kept, intervals, registry, this::isNotified);
        this.listener =
                settings.notifications ? new Listener(node, registry, intervals, notifier, follower::wake) : null;
        this.threads = listener == null
                ? List.of(follower.thread(), notifier.thread())
                : List.of(follower.thread(), notifier.thread(), listener.thread());
    }

    /** Tests whether this node is notified of every commit of another one. */
    boolean isNotified() {
        return listener != null && listener.isNotified();
    }

    /** Returns how many other nodes there were when the heads were read: as far as they can be known, those that want to be notified. */
    int others() {
        return registry.others();
    }

    /** Returns the thread that reads what other nodes have committed. */
    LogFollower follower() {
        return follower;
    }

    void start() {
        follower.prepare();
        threads.forEach(WorkerThread::start);
    }

    /** Notes a commit of this node. Returns at once. */
    void committed(List<LogRow> rows) {
        if (rows.stream().anyMatch(LogRow::isNews)) {
            notifier.committed();
        }
    }

    /** Notes a commit that the application has made, or may have made. This node reports it as it reports those of others. */
    void committedOutside(List<LogRow> rows) {
        committed(rows);
        follower.wake();
    }

    /** Starts threads again that are gone. */
    void ensureRunning() {
        for (WorkerThread thread : threads) {
            boolean unused = thread.ensureRunning();
        }
    }

    /**
     * Gives the leases of this node back, tells the others, and closes the connections. What is not sent yet, the last notification stands
     * for. By that, the thread that listens ends, too.
     */
    void leave() {
        follower.thread().end(STOP_MILLIS);
        notifier.thread().end(STOP_MILLIS);
        if (listener != null) {
            listener.thread().stop();
        }
        Connections connections = node.connections();
        try {
            follower.leaps().keep();
            Script script = connections
                    .script()
                    .add(END_LEASES, node.id(), RowColumns.integers(node.slots().all()));
            boolean alone = listener == null && !registry.hasOthers();
            connections.change(alone ? script : registry.left(registry.leave(script)));
        } catch (StoreException | ConflictException e) {
            log.debug("The leases of this node end by themselves", e);
        } finally {
            if (listener != null) {
                listener.join();
            }
            connections.close();
        }
    }

    /**
     * Leaves in a thread of its own, because the driver and the pool may wait for a silent server for much longer.
     *
     * @param timeout how long this may take; a short time may be exceeded a little
     */
    void leaveWithin(Duration timeout) {
        Thread leaving = BackgroundThreads.named("ttl-store-leave").newThread(this::leave);
        try {
            leaving.start();
        } catch (OutOfMemoryError e) { // there may be no room for a thread
            leave();
            return;
        }
        Deadline.in(timeout.compareTo(LEAST_TO_LEAVE) < 0 ? LEAST_TO_LEAVE : timeout)
                .await(leaving);
        if (leaving.isAlive()) {
            log.info("PostgreSQL did not answer in time, so the store closes without it. The leases of this node end by"
                    + " themselves");
            node.connections().close();
        }
    }
}
