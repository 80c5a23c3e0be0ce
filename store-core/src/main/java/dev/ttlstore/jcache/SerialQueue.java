package dev.ttlstore.jcache;

import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.Room;
import dev.ttlstore.engine.support.SafeLog;

/**
 * Runs tasks one after the other in threads of an executor. Who adds tasks faster than they run waits, except a task itself, which
 * would wait for its own end.
 */
final class SerialQueue {

    private static final Logger log = LoggerFactory.getLogger(SerialQueue.class);

    /** For what waits. A larger task takes all of it. */
    static final long MOST_BYTES = 16 * 1024 * 1024;

    /** What a task takes beside its values, so that 10,000 small ones may wait. */
    private static final int BYTES_OF_TASK = 1_600;

    private final Executor executor;
    private final Room room = new Room(MOST_BYTES);
    private final Queue<Task> waiting = new LinkedBlockingQueue<>();
    private boolean running;
    private volatile @Nullable Thread runner;

    SerialQueue(Executor executor) {
        this.executor = executor;
    }

    /** Adds a task that holds values of a size. */
    void add(Runnable work, long valueBytes) {
        long bytes = Thread.currentThread() == runner ? 0 : BYTES_OF_TASK + valueBytes;
        room.take(bytes);
        boolean added = false;
        try {
            synchronized (waiting) {
                waiting.add(new Task(work, bytes));
                added = true;
                if (running) {
                    return;
                }
                running = true;
            }
        } finally {
            if (!added) {
                room.giveBack(bytes);
            }
        }
        start();
    }

    private void start() {
        boolean started = false;
        try {
            executor.execute(this::runAll);
            started = true;
        } finally {
            if (!started) {
                synchronized (waiting) {
                    running = false;
                }
            }
        }
    }

    private void runAll() {
        runner = Thread.currentThread();
        try {
            for (Task task = next(); task != null; task = next()) {
                run(task);
            }
        } finally {
            if (runner == Thread.currentThread()) { // otherwise the next one has begun
                runner = null;
            }
        }
    }

    private void run(Task task) {
        try {
            task.work.run();
        } catch (RuntimeException | Error e) { // the next ones run all the same
            SafeLog.warn(log, "A listener of a cache could not be called", e);
        } finally {
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
