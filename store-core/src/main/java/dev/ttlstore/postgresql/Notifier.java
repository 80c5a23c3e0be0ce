package dev.ttlstore.postgresql;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.engine.support.WorkerThread;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.postgresql.PostgreSqlSettings.Intervals;

/**
 * The thread that notifies other nodes of commits: one notification for all commits since the last one, after them and in a
 * transaction of its own. A commit that notifies takes a lock, which all notifying transactions of the database share, and holds it
 * while it waits for the disk. So the writer itself does not notify. Thread-safe.
 */
final class Notifier {

    private static final Logger log = LoggerFactory.getLogger(Notifier.class);

    private static final long RETRY_NANOS = 1_000_000_000;

    private final NodeContext node;
    private final NodeRegistry registry;
    private final long gapNanos;
    private final AtomicBoolean committed = new AtomicBoolean();
    private final Queue<Runnable> errands = new ConcurrentLinkedQueue<>();
    private final RetryLog retries =
            new RetryLog(log, "Other nodes could not be notified; they learn of commits a little later by themselves");
    private final WorkerThread thread =
            new WorkerThread(BackgroundThreads.named("ttl-store-notify"), retries, this::run);

    Notifier(NodeContext node, NodeRegistry registry, Intervals intervals) {
        this.node = node;
        this.registry = registry;
        this.gapNanos = intervals.gap.toNanos();
    }

    WorkerThread thread() {
        return thread;
    }

    /** Notes that this node has committed something that others want to know. Returns at once. */
    void committed() {
        if (!committed.get() && registry.hasOthers() && committed.compareAndSet(false, true)) {
            thread.wake();
        }
    }

    /** Runs something else in this thread: the one that listens must not wait for a connection. */
    void run(Runnable errand) {
        errands.add(errand);
        thread.wake();
    }

    private void run() {
        long next = System.nanoTime();
        Runnable notification = // created once: there may be no memory for it later
                () -> node.connections()
                        .runOnce(registry.committed(node.connections().script()));
        while (!thread.isStopped()) {
            Runnable errand = errands.poll();
            if (errand != null) {
                boolean unused = attempt(errand);
            } else if (!committed.get()) {
                thread.sleep(Long.MAX_VALUE);
            } else if (next - System.nanoTime() > 0) {
                thread.sleep(next - System.nanoTime());
            } else {
                committed.set(false); // first: a commit from here on needs the next notification
                boolean sent = attempt(notification);
                next = System.nanoTime() + (sent ? gapNanos : RETRY_NANOS);
                if (!sent) {
                    committed.set(true);
                }
            }
        }
    }

    private boolean attempt(Runnable work) {
        try {
            work.run();
            retries.succeeded("Other nodes can be notified again");
            return true;
        } catch (StoreClosedException e) {
            thread.stop();
            return false;
        } catch (RuntimeException | Error e) { // either would end the notifications silently
            if (!thread.isStopped()) {
                retries.failed(e);
            }
            return false;
        }
    }
}
