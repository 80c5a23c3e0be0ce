package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.engine.support.WorkerThread;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreUnavailableException;
import dev.ttlstore.postgresql.PostgreSqlSettings.Intervals;

/**
 * The thread that listens to the notifications of other nodes, on a connection of its own, and wakes the follower. It tests itself:
 * behind a pooler that shares connections between transactions, {@code LISTEN} succeeds and nothing ever arrives. Only while its
 * tests arrive is this node registered and does it rely on being notified.
 */
final class Listener {

    private static final Logger log = LoggerFactory.getLogger(Listener.class);

    /** How long it waits for notifications at once. Then it looks after other things, which costs the server nothing. */
    private static final int SLICE_MILLIS = 250;

    /** The pause after the connection was lost. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    /** The pause after the pool had no other connection for the rest of the store. */
    private static final Duration POOL_TOO_SMALL = Duration.ofMinutes(10);

    private static final long STOP_MILLIS = 2_000;

    /** How long its own last notification may take to end it. */
    private static final long LEAVE_MILLIS = 200;

    private final NodeContext node;
    private final NodeRegistry registry;
    private final Intervals intervals;
    private final Notifier notifier;
    private final Runnable wake;

    private volatile boolean hearing;
    private volatile long hearingSince;
    private final RetryLog retries = new RetryLog(log, "This node could not listen; this is retried each second");
    private final WorkerThread thread =
            new WorkerThread(BackgroundThreads.named("ttl-store-listen"), retries, this::run);
    private volatile Connections.@Nullable Borrowed connection;

    /** The number of the last test. Used by the thread only, as are the next fields. */
    private long test;

    private boolean awaited;
    private long testedAt;
    private boolean explained;

    /**
     * Prepares the thread.
     *
     * @param node what all threads share
     * @param registry the registered nodes, and what to listen to
     * @param intervals how often to test
     * @param notifier sends the tests
     * @param wake called if there may be something to read, or if this node can no longer rely on being notified
     */
    Listener(NodeContext node, NodeRegistry registry, Intervals intervals, Notifier notifier, Runnable wake) {
        this.node = node;
        this.registry = registry;
        this.intervals = intervals;
        this.notifier = notifier;
        this.wake = wake;
    }

    /** Returns the thread. If it is stopped, it ends soon: at its next notification, such as that this node leaves. */
    WorkerThread thread() {
        return thread;
    }

    /** Tests whether this node is notified of every commit of another one, unless the network or the server fails. */
    boolean isNotified() {
        return hearing && System.nanoTime() - hearingSince > intervals.known.toNanos() && registry.knowsThisNode();
    }

    /** Waits for the end of the thread, which was stopped. */
    void join() {
        thread.end(LEAVE_MILLIS);
        Connections.Borrowed listening = connection;
        if (thread.isRunning() && listening != null) {
            listening.abort();
            thread.end(STOP_MILLIS);
        }
    }

    private void run() {
        while (!thread.isStopped()) {
            try {
                thread.pause(listenOnce().toNanos());
            } catch (StoreClosedException e) {
                return;
            }
        }
    }

    private Duration listenOnce() {
        try (Connections.Borrowed borrowed = node.connections().borrow()) {
            connection = borrowed;
            return listen(borrowed);
        } catch (StoreClosedException e) {
            throw e;
        } catch (SQLException | RuntimeException e) {
            return failed(e);
        } finally {
            connection = null;
            relyOnLooks();
        }
    }

    private void relyOnLooks() {
        hearing = false;
        wake.run();
    }

    private Duration failed(Exception e) {
        boolean passes = e instanceof SQLException cause && Errors.isConnectionLost(cause);
        if (passes || e instanceof StoreUnavailableException || thread.isStopped()) {
            return RETRY;
        }
        explain("PostgreSQL does not let this node listen: " + e.getMessage());
        return intervals.again;
    }

    /** Says once why this node is not notified. */
    private void explain(String reason) {
        if (!explained) {
            explained = true;
            log.warn(
                    "{}. It looks for commits of other nodes every {} ms instead. To listen no more, use"
                            + " PostgreSql.notifications(false), or the starter's property 'store.postgresql.notifications'",
                    reason,
                    intervals.look.toMillis());
        }
    }

    /** Listens for as long as it works; returns the pause until another attempt. */
    private Duration listen(Connections.Borrowed borrowed) throws SQLException {
        borrowed.runFirst(node.connections().script().add(registry.listen()));
        try {
            DriverNotifications driver = DriverNotifications.of(borrowed.connection());
            if (driver == null) {
                explain("The driver or the pool hides org.postgresql.PGConnection, so this node cannot listen");
                return intervals.again;
            }
            return hear(driver);
        } catch (SQLException e) {
            borrowed.breakOff();
            throw e;
        } finally {
            borrowed.runIfUsable(node.connections().script().add(registry.unlisten()));
        }
    }

    private Duration hear(DriverNotifications driver) throws SQLException {
        ConnectionSource.Demand before = node.connections().demand();
        long sampledAt = System.nanoTime();
        test();
        while (!thread.isStopped()) {
            for (String payload : driver.await(SLICE_MILLIS)) {
                heard(payload);
            }
            long now = System.nanoTime();
            if (awaited && now - testedAt > intervals.patience.toNanos()) {
                explain("Notifications do not reach this node, as behind a pooler in transaction mode");
                leave();
                return intervals.again;
            }
            boolean forgotten =
                    hearing && !awaited && !registry.knowsThisNode() && now - hearingSince > RETRY.toNanos() * 2;
            if (!awaited && (forgotten || now - testedAt > intervals.test.toNanos())) {
                test();
            }
            if (now - sampledAt > Duration.ofMillis(SLICE_MILLIS).toNanos()) {
                ConnectionSource.Demand demand = node.connections().demand();
                if (demand.isStarvedSince(before)) {
                    explain("The pool has no connection left for this node to listen");
                    leave();
                    return POOL_TOO_SMALL;
                }
                before = demand;
                sampledAt = now;
            }
        }
        return Duration.ZERO;
    }

    private void heard(String payload) {
        if (registry.isNews(payload)) {
            wake.run();
        } else if (payload.equals(registry.test(test))) {
            awaited = false;
            if (!hearing) {
                hearingSince = System.nanoTime();
                hearing = true;
                explained = false;
                retries.succeeded("This node can listen again");
            }
        }
    }

    /** Registers this node and notifies it, in one transaction: what it hears, the others can see. */
    private void test() {
        long number = ++test;
        awaited = true;
        testedAt = System.nanoTime();
        notifier.run(() -> {
            if (!registry.isRegistered()) {
                relyOnLooks(); // until the others have seen it again
            }
            Script script = node.connections().script();
            node.connections().change(registry.test(script, number));
            registry.bury();
        });
    }

    private void leave() {
        notifier.run(() ->
                node.connections().change(registry.leave(node.connections().script())));
    }
}
