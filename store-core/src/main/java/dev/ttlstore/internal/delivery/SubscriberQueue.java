package dev.ttlstore.internal.delivery;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryReads;
import dev.ttlstore.expiry.ExpirySettings;

/**
 * The deliveries of one subscriber that are in hand: read and waiting for a call, in a call, or done and not yet noted. Of
 * each key there is one at most. Thread-safe.
 */
final class SubscriberQueue {

    private static final Logger log = LoggerFactory.getLogger(SubscriberQueue.class);

    /** How many wait for a call at most, for each that can run. */
    private static final int READY_PER_CALL = 32;

    private final String subscriber;
    private final int concurrency;
    private final Duration timeout;
    private final Executor executor;
    private final Runnable signal;
    private final DeliveryReads reads;

    // Guarded by this.
    private final Deque<Delivery> ready = new ArrayDeque<>();
    private final Set<Long> held = new HashSet<>();
    private final List<Call> calls = new ArrayList<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private @Nullable Handler handler;
    private boolean excluded;
    private int threads;

    /**
     * Creates a queue without a handler.
     *
     * @param subscriber the name of the subscriber
     * @param settings how many calls at a time, and how long each may take
     * @param executor runs the calls
     * @param signal called when there is an outcome
     * @param reads where values are read
     */
    SubscriberQueue(
            String subscriber, ExpirySettings settings, Executor executor, Runnable signal, DeliveryReads reads) {
        this.subscriber = subscriber;
        this.concurrency = settings.concurrency();
        this.timeout = settings.timeout();
        this.executor = executor;
        this.signal = signal;
        this.reads = reads;
    }

    String subscriber() {
        return subscriber;
    }

    /** Gives it a handler; refused if it has one, or is to have none. */
    synchronized void begin(Handler calledFromNowOn) {
        if (handler != null) {
            throw new IllegalStateException("The expiry subscriber '" + subscriber
                    + "' already has a handler; close its subscription first, or use another name");
        }
        if (excluded) {
            throw new IllegalStateException("The expiry subscriber '" + subscriber
                    + "' is being removed; subscribe when that is done, or use another name");
        }
        handler = calledFromNowOn;
    }

    /** Keeps handlers away until they are admitted again; refused if there is one, or another does so. */
    synchronized void exclude() {
        if (handler != null) {
            throw new IllegalStateException("The expiry subscriber '" + subscriber
                    + "' has a handler; close its subscription before you remove it");
        }
        if (excluded) {
            throw new IllegalStateException("The expiry subscriber '" + subscriber + "' is already being removed");
        }
        excluded = true;
    }

    synchronized void admit() {
        excluded = false;
    }

    /** Takes the handler away: no call begins any more. */
    synchronized void end() {
        handler = null;
        for (Delivery delivery : ready) {
            held.remove(delivery.id());
        }
        ready.clear();
    }

    synchronized boolean isActive() {
        return handler != null;
    }

    /** Whether a call goes on, or is done and has not been noted. */
    synchronized boolean isBusy() {
        return !calls.isEmpty() || !outcomes.isEmpty() || !held.isEmpty();
    }

    /** Whether a thread is in a call of the handler. */
    synchronized boolean isCalledBy(Thread thread) {
        return calls.stream().anyMatch(call -> call.isOf(thread));
    }

    /** How many further deliveries it can take; few are not worth asking for. */
    synchronized int room() {
        int most = concurrency * READY_PER_CALL;
        return handler == null || ready.size() > most / 2 ? 0 : most - ready.size();
    }

    /** How many deliveries it has in hand. */
    synchronized int held() {
        return held.size();
    }

    /** Takes deliveries, those which it does not have already, and has threads begin with what it has. */
    synchronized void offer(List<Delivery> deliveries) {
        if (handler == null) {
            return;
        }
        for (Delivery delivery : deliveries) {
            if (held.add(delivery.id())) {
                ready.add(delivery);
            }
        }
        int wanted = Math.min(concurrency, calls.size() + ready.size());
        while (threads < wanted) {
            startThread();
        }
    }

    private synchronized void startThread() {
        boolean started = false;
        threads++;
        try {
            executor.execute(this::work);
            started = true;
        } finally {
            if (!started) { // there may be no thread to be had
                threads--;
            }
        }
    }

    private void work() {
        boolean more = true;
        boolean ended = false;
        try {
            while (more) {
                more = workOnce();
            }
            ended = true;
        } finally {
            if (!ended) { // by an error that left no room for anything else: its place is for another thread
                abandoned();
            }
        }
    }

    private synchronized void abandoned() {
        threads--;
    }

    private boolean workOnce() {
        Handler called;
        Call call;
        synchronized (this) {
            Delivery next = ready.poll();
            called = handler;
            if (next == null || called == null) {
                threads--;
                return false;
            }
            call = new Call(next);
            calls.add(call);
        }
        Throwable failure = null;
        boolean gone = false;
        try {
            byte[] value = reads.value(call.delivery().id());
            gone = value == null; // dropped meanwhile, and nothing to tell of any more
            if (value != null) {
                called.handle(call.delivery(), value);
            }
        } catch (Throwable e) { // an Error too is a failure of the handler, and known by it
            failure = e;
        }
        boolean kept = false;
        try {
            Outcome outcome = call.end(failure);
            boolean unused = Thread.interrupted(); // it was for the call, and the next one has its own time
            if (outcome != null && !gone) {
                keep(outcome);
                kept = true;
            }
        } finally {
            over(call, kept);
        }
        signal.run();
        return true;
    }

    private synchronized void keep(Outcome outcome) {
        outcomes.add(outcome);
    }

    /** A delivery whose outcome is not kept, or could not be, is there to be taken again, unless it is gone. */
    private synchronized void over(Call call, boolean kept) {
        calls.remove(call);
        if (!kept) {
            held.remove(call.delivery().id());
        }
    }

    /** What is done, the first first. The deliveries stay in hand until they are {@link #noted}. */
    synchronized List<Outcome> outcomes() {
        return List.copyOf(outcomes);
    }

    /** Forgets what is done, the first first. */
    synchronized void noted(List<Outcome> done) {
        for (Outcome outcome : done) {
            held.remove(outcome.delivery().id());
        }
        outcomes.subList(0, done.size()).clear();
    }

    /** Interrupts calls that take too long, and tells in how many nanoseconds to look again. */
    synchronized long interruptLate(long now) {
        long limit = nanos(timeout);
        long wait = held.isEmpty() ? Long.MAX_VALUE : limit; // a call may be about to begin
        for (Call call : calls) {
            long left = limit - call.age(now);
            if (left > 0) {
                wait = Math.min(wait, left);
            } else if (call.interruptLate("The handler did not return within " + timeout)) {
                log.warn(
                        "The handler of the expiry subscriber '{}' did not return within {} and was interrupted;"
                                + " if it ignores the interrupt, it keeps one of {} concurrent calls",
                        subscriber,
                        timeout,
                        concurrency);
            }
        }
        return wait;
    }

    /** Has the calls end that still go on; those that fail by it count as not having been. */
    synchronized void dropCalls() {
        calls.forEach(Call::drop);
    }

    private static long nanos(Duration duration) {
        try {
            return duration.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE; // 292 years, and as good as no limit
        }
    }
}
