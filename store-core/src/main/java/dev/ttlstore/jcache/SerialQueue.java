package dev.ttlstore.jcache;

import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.SafeLog;

/**
 * Runs tasks one after the other in threads of an executor. Who adds tasks faster than they run waits, except a task itself, which
 * would wait for its own end.
 */
final class SerialQueue {

    private static final Logger log = LoggerFactory.getLogger(SerialQueue.class);

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
        boolean added = false;
        try {
            synchronized (waiting) {
                waiting.add(new Task(work, counted));
                added = true;
                if (running) {
                    return;
                }
                running = true;
            }
        } finally {
            if (!added && counted) {
                room.release();
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
            if (task.counted) {
                room.release();
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
     * @param work what it does
     * @param counted whether it takes room
     */
    private record Task(Runnable work, boolean counted) {}
}
