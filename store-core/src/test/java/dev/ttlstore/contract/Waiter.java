package dev.ttlstore.contract;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

import org.awaitility.Awaitility;

/** A thread that has come to wait for something. */
public final class Waiter<T> {

    private final FutureTask<T> task;
    private final Thread thread;

    private Waiter(Callable<T> work) {
        this.task = new FutureTask<>(work);
        this.thread = new Thread(task, "waiter");
    }

    /** Starts work in a thread of its own, and returns when that waits. */
    public static <T> Waiter<T> start(Callable<T> work) {
        Waiter<T> waiter = new Waiter<>(work);
        waiter.thread.setDaemon(true);
        waiter.thread.start();
        Awaitility.await().until(() -> Threads.isWaiting(waiter.thread) || waiter.task.isDone());
        return waiter;
    }

    public boolean isDone() {
        return task.isDone();
    }

    public void interrupt() {
        thread.interrupt();
    }

    /** What the work came to. */
    public T get() {
        return Threads.get(task);
    }
}
