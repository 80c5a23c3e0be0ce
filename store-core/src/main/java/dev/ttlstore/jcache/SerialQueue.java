package dev.ttlstore.jcache;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BytePermits;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.engine.support.NotAttemptedException;
import dev.ttlstore.engine.support.SafeLog;

/**
 * Runs tasks one after the other in threads of an executor. A caller that adds tasks faster than they run waits. There are three
 * exceptions, against deadlocks. A task that adds others, also to other queues, does not wait. Nobody waits while a task waits for a
 * lock, because the caller may hold it. While a task does not return, tasks without room are dropped, so nobody waits for ever.
 */
final class SerialQueue {

    private static final Logger log = LoggerFactory.getLogger(SerialQueue.class);

    private static final SafeLog NOT_CALLED = SafeLog.ofApplication(log, "A listener of a cache could not be called");

    /** For what waits. A larger task takes all of it. */
    static final long MOST_BYTES = 16 * 1024 * 1024;

    /** What a task takes beside its values, so that 10,000 small ones may wait. */
    private static final int BYTES_OF_TASK = 1_600;

    /** How long somebody waits for room while no task ends, unless another one has waited as long in vain. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How often who waits for room looks whether the task itself waits. */
    private static final Duration LOOK = Duration.ofMillis(20);

    /** The queue whose task this thread runs. */
    private static final ThreadLocal<@Nullable SerialQueue> OF_TASK = new ThreadLocal<>();

    private final Executor executor;
    private final BytePermits room = new BytePermits(MOST_BYTES);
    private final Queue<Task> waiting = new LinkedBlockingQueue<>();
    private boolean running;

    /** Whether the task in progress waits for a lock. */
    private volatile boolean blocked;

    /** Whether somebody has waited in vain since the last task ended. */
    private volatile boolean stuck;

    /** When the last task ended. */
    private volatile long ended = System.nanoTime();

    private final Duration patience;

    SerialQueue(Executor executor) {
        this(executor, PATIENCE);
    }

    SerialQueue(Executor executor, Duration patience) {
        this.executor = executor;
        this.patience = patience;
    }

    /** Adds a task that holds values of a size. */
    void add(Runnable work, long valueBytes) {
        boolean unused = tryAdd(work, valueBytes);
    }

    /**
     * Adds a task, and waits until it has run. Once it has begun, only an interrupt ends the wait.
     *
     * @return what the task has returned; false if it has thrown something
     * @throws NotAttemptedException if it has not begun and never will: it was dropped, or has waited in vain for as long as anybody waits,
     *     or the thread was interrupted
     * @throws InterruptedException if the thread was interrupted later
     */
    boolean run(Callable<Boolean> work, long valueBytes) throws NotAttemptedException, InterruptedException {
        // By the thread that runs it, or by this one, so that it never begins.
        AtomicBoolean taken = new AtomicBoolean();
        FutureTask<Boolean> task = new FutureTask<>(work);
        Runnable unlessTaken = () -> {
            if (taken.compareAndSet(false, true)) {
                task.run();
            }
        };
        if (!tryAdd(unlessTaken, valueBytes)) {
            throw new NotAttemptedException("A listener of a cache does not return");
        }
        long begun = System.nanoTime();
        while (true) {
            long now = System.nanoTime();
            long left = patience.toNanos() - Math.min(now - begun, now - ended);
            try {
                return task.get(Math.max(left, LOOK.toNanos()), TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                return false;
            } catch (TimeoutException e) {
                if (left <= 0 && taken.compareAndSet(false, true)) {
                    throw new NotAttemptedException("Other calls of a listener of a cache take too long");
                }
            } catch (InterruptedException e) {
                if (taken.compareAndSet(false, true)) {
                    Thread.currentThread().interrupt(); // so that no other listener is waited for
                    throw new NotAttemptedException(
                            "The wait for other calls of a listener of a cache was interrupted");
                }
                throw e;
            }
        }
    }

    /** Returns false if the task was dropped. */
    private boolean tryAdd(Runnable work, long valueBytes) {
        long bytes = BYTES_OF_TASK + valueBytes;
        if (OF_TASK.get() != null) {
            room.takeAnyway(bytes); // others wait until it is given back
        } else if (!takeRoom(bytes)) {
            return false;
        }
        try {
            synchronized (waiting) {
                waiting.add(new Task(work, bytes));
                if (running) {
                    return true;
                }
                running = true;
            }
        } catch (RuntimeException | Error e) {
            room.giveBack(bytes);
            throw e;
        }
        start();
        return true;
    }

    /** Returns false if there was no room for as long as anybody waits. */
    private boolean takeRoom(long bytes) {
        long begun = System.nanoTime();
        boolean taken = false;
        boolean waits = true;
        while (!taken && waits) {
            long now = System.nanoTime();
            waits = !stuck && Math.min(now - begun, now - ended) < patience.toNanos();
            // In spite of an interrupt: the change is made, and the listener must hear of it.
            taken = Deadline.in(waits ? LOOK : Duration.ZERO).tryUntil(nanos -> room.take(bytes, nanos));
            if (!taken && blocked) {
                room.takeAnyway(bytes);
                taken = true;
            }
        }
        if (!taken && !stuck) {
            stuck = true;
            log.warn(
                    "A listener of a cache has not returned for {}, and so many changes wait for it that there is no room for more. It does"
                            + " not receive further ones until it returns",
                    patience);
        }
        return taken;
    }

    /**
     * Waits for a lock that may be held by somebody who adds tasks.
     *
     * @param lock takes the lock
     * @return whether it has taken it
     */
    static boolean await(BooleanSupplier lock) {
        SerialQueue queue = OF_TASK.get();
        if (queue == null) {
            return lock.getAsBoolean();
        }
        queue.blocked = true;
        try {
            return lock.getAsBoolean();
        } finally {
            queue.blocked = false;
        }
    }

    private void start() {
        try {
            executor.execute(this::runAll);
        } catch (RuntimeException | Error e) {
            synchronized (waiting) {
                running = false;
            }
            throw e;
        }
    }

    private void runAll() {
        boolean marked = mark();
        try {
            for (Task task = next(); task != null; task = next()) {
                run(task);
            }
        } finally {
            if (marked) {
                OF_TASK.set(null);
            }
        }
    }

    /** Marks this thread. Returns false if there is no memory for that. */
    private boolean mark() {
        try {
            OF_TASK.set(this);
            return true;
        } catch (OutOfMemoryError e) { // the tasks must run all the same
            return false;
        }
    }

    private void run(Task task) {
        try {
            task.work.run();
        } catch (RuntimeException | Error e) { // the next ones run all the same
            NOT_CALLED.warn(e);
        } finally {
            ended = System.nanoTime();
            stuck = false;
            room.giveBack(task.bytes);
        }
    }

    private @Nullable Task next() {
        synchronized (waiting) {
            Task task = waiting.poll();
            running = task != null;
            return task;
        }
    }

    /**
     * A task.
     *
     * @param work what it does
     * @param bytes the room that it takes
     */
    private record Task(Runnable work, long bytes) {}
}
