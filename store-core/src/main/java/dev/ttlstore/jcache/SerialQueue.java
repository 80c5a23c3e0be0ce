package dev.ttlstore.jcache;

import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one after the other in threads of an executor. Who adds tasks faster than they run waits, except a task itself, which
 * would wait for its own end.
 */
final class SerialQueue {

    private static final int CAPACITY = 10_000;

    private final Executor executor;
    private final Semaphore room = new Semaphore(CAPACITY);
    private final Queue<Task> waiting = new LinkedBlockingQueue<>();
    private boolean running;
    private volatile @Nullable Thread runner;

    SerialQueue(Executor executor) {
        this.executor = executor;
    }

    void add(Runnable work) {
        boolean counted = Thread.currentThread() != runner;
        if (counted) {
            room.acquireUninterruptibly();
        }
        synchronized (waiting) {
            waiting.add(new Task(work, counted));
            if (running) {
                return;
            }
            running = true;
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
                task.work.run();
                if (task.counted) {
                    room.release();
                }
            }
        } finally {
            if (runner == Thread.currentThread()) { // otherwise the next one has begun
                runner = null;
            }
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
     * @param work what it does; it does not throw
     * @param counted whether it takes room
     */
    private record Task(Runnable work, boolean counted) {}
}
