package dev.ttlstore.internal.watch;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.function.Consumer;

import org.awaitility.Awaitility;

import dev.ttlstore.contract.Threads;
import dev.ttlstore.event.WatchSignal;

/** Remembers what it was told, in order, and by which threads. */
final class RecordingSubscriber implements Flow.Subscriber<WatchSignal> {

    private final long requestedAtFirst;
    private final Consumer<WatchSignal> onSignal;
    private final List<WatchSignal> signals = new CopyOnWriteArrayList<>();
    private final List<Thread> callers = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    private final CompletableFuture<Throwable> error = new CompletableFuture<>();
    private final CountDownLatch completed = new CountDownLatch(1);

    /** A subscriber that requests so much when it is subscribed, if anything, and does this when it is told something. */
    RecordingSubscriber(long requestedAtFirst, Consumer<WatchSignal> onSignal) {
        this.requestedAtFirst = requestedAtFirst;
        this.onSignal = onSignal;
    }

    RecordingSubscriber(long requestedAtFirst) {
        this(requestedAtFirst, signal -> {});
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        callers.add(Thread.currentThread());
        subscription.complete(given);
        if (requestedAtFirst != 0) {
            given.request(requestedAtFirst);
        }
    }

    @Override
    public void onNext(WatchSignal signal) {
        callers.add(Thread.currentThread());
        signals.add(signal);
        onSignal.accept(signal);
    }

    @Override
    public void onError(Throwable thrown) {
        callers.add(Thread.currentThread());
        error.complete(thrown);
    }

    @Override
    public void onComplete() {
        callers.add(Thread.currentThread());
        completed.countDown();
    }

    Flow.Subscription subscription() {
        return Threads.get(subscription);
    }

    List<WatchSignal> signals() {
        return List.copyOf(signals);
    }

    List<WatchSignal> awaitSignals(int count) {
        Awaitility.await().until(() -> signals.size() >= count);
        return signals();
    }

    Throwable awaitError() {
        return Threads.get(error);
    }

    void awaitCompletion() {
        Threads.await(completed);
    }

    boolean isCompleted() {
        return completed.getCount() == 0;
    }

    boolean hasFailed() {
        return error.isDone();
    }

    /** The threads that have called it, in order. */
    List<Thread> callers() {
        return List.copyOf(callers);
    }

    /** Waits until the thread that calls it has ended. */
    void awaitThreadEnd() {
        subscription();
        Thread thread = callers.get(0);
        Awaitility.await().until(() -> !thread.isAlive());
    }

    /** Waits until the thread that calls it has nothing to do. */
    void awaitIdle() {
        subscription();
        Thread thread = callers.get(0);
        Awaitility.await().until(() -> Threads.isWaiting(thread));
    }
}
