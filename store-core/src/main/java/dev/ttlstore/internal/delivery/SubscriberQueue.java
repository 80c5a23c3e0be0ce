package dev.ttlstore.internal.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.engine.support.NotAttemptedException;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.expiry.ExpirySettings;

/**
 * The deliveries of one subscriber that are in hand: those that wait for a call, those in a call, and those whose
 * outcome is not recorded yet. There is at most one for each key. Thread-safe.
 */
final class SubscriberQueue {

    private static final Logger log = LoggerFactory.getLogger(SubscriberQueue.class);

    /** How many deliveries wait for a call at most, per concurrent call. */
    private static final int READY_PER_CALL = 32;

    private final String subscriber;
    private final int concurrency;
    private final Duration timeout;
    private final Executor executor;
    private final Runnable signal;
    private final Deliveries deliveries;

    // Guarded by this. What is in hand is in one of the three, so none can disagree with another after an error.
    private final Deque<Delivery> ready = new LinkedBlockingDeque<>();
    private final List<HandlerCall> calls = new ArrayList<>();
    private final List<HandlerCall.Result> outcomes = new ArrayList<>();
    private @Nullable Handler handler;
    private @Nullable Subscriber stored;
    private boolean excluded;
    private int threads;

    /**
     * Creates a queue without a handler.
     *
     * @param subscriber the name of the subscriber
     * @param settings how many calls run at the same time, and how long each may take
     * @param executor runs the calls
     * @param signal called when there is an outcome
     * @param deliveries reads values
     */
    SubscriberQueue(
            String subscriber, ExpirySettings settings, Executor executor, Runnable signal, Deliveries deliveries) {
        this.subscriber = subscriber;
        this.concurrency = settings.concurrency();
        this.timeout = settings.timeout();
        this.executor = executor;
        this.signal = signal;
        this.deliveries = deliveries;
    }

    String subscriber() {
        return subscriber;
    }

    /** Sets the handler. Throws if there is one already, or if handlers are excluded. */
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

    /**
     * Excludes handlers until {@link #admit} is called. Throws if there is a handler, or if handlers are excluded
     * already.
     */
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

    /** Removes the handler, so that no new call starts. */
    synchronized void end() {
        handler = null;
        stored = null;
        ready.clear();
    }

    /** Notes how the subscriber is stored, if it has a handler. */
    synchronized void stored(Subscriber present) {
        stored = handler == null ? null : present;
    }

    /** Returns how the subscriber was stored when its handler began; null if it has none. */
    synchronized @Nullable Subscriber stored() {
        return stored;
    }

    synchronized boolean isActive() {
        return handler != null;
    }

    /** Tests whether a call is running, or has an outcome that is not recorded yet. */
    synchronized boolean isBusy() {
        return held() > 0;
    }

    /** Tests whether it has no handler, and nothing in hand. */
    synchronized boolean isUnused() {
        return handler == null && !excluded && held() == 0;
    }

    /** Tests whether a thread is running a call of the handler. */
    synchronized boolean isCalledBy(Thread thread) {
        return calls.stream().anyMatch(call -> call.isOf(thread));
    }

    /** Returns how many more deliveries to read; zero if only a few, which would not be worth a query. */
    synchronized int room() {
        int most = concurrency * READY_PER_CALL;
        return handler == null || ready.size() > most / 2 ? 0 : most - ready.size();
    }

    /** Returns how many deliveries are in hand. */
    synchronized int held() {
        return ready.size() + calls.size() + outcomes.size();
    }

    /** Adds deliveries that are not in hand yet, and starts threads for them. */
    synchronized void offer(List<Delivery> deliveries) {
        if (handler == null) {
            return;
        }
        if (!deliveries.isEmpty()) {
            Set<Long> held = ids();
            for (Delivery delivery : deliveries) {
                if (held.add(delivery.id())) {
                    ready.add(delivery);
                }
            }
        }
        int wanted = Math.min(concurrency, calls.size() + ready.size());
        while (threads < wanted) {
            startThread();
        }
    }

    private Set<Long> ids() {
        Set<Long> ids = new HashSet<>();
        ready.forEach(delivery -> ids.add(delivery.id()));
        calls.forEach(call -> ids.add(call.delivery().id()));
        outcomes.forEach(outcome -> ids.add(outcome.delivery().id()));
        return ids;
    }

    private synchronized void startThread() {
        threads++;
        try {
            executor.execute(this::work);
        } catch (RuntimeException | Error e) { // no thread may be available
            threads--;
            throw e;
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
            if (!ended) { // after a severe error; another thread takes its place
                abandoned();
                signal.run(); // or nobody would start that one, if this was the last
            }
        }
    }

    private synchronized void abandoned() {
        threads--;
    }

    private boolean workOnce() {
        Handler called;
        HandlerCall call;
        synchronized (this) {
            Delivery next = ready.peek();
            called = handler;
            if (next == null || called == null) {
                threads--;
                return false;
            }
            call = new HandlerCall(next);
            calls.add(call);
            ready.remove(); // last: without memory for the call, another thread takes the delivery
        }
        Throwable failure = null;
        boolean attempted = false;
        boolean gone = false;
        try {
            KeyValue value = deliveries.value(call.delivery().id());
            attempted = true;
            gone = value == null; // dropped meanwhile, so there is nothing to handle
            if (value != null) {
                called.handle(call.delivery(), value);
            }
        } catch (NotAttemptedException e) {
            failure = e;
            attempted = false;
        } catch (Throwable e) { // an Error is a failure of the handler as well
            failure = e;
            attempted |= e instanceof StoreCorruptedException || e instanceof Error; // or it would be read for ever
        }
        try {
            HandlerCall.Result outcome = call.end(failure, attempted);
            boolean unused = Thread.interrupted(); // an interrupt was for this call; the next one has its own time
            if (outcome != null && !gone) {
                keep(outcome);
            }
        } finally {
            over(call);
        }
        signal.run();
        return true;
    }

    private synchronized void keep(HandlerCall.Result outcome) {
        outcomes.add(outcome);
    }

    /** Ends a call. A delivery whose outcome is not kept can be taken again, unless it no longer exists. */
    private synchronized void over(HandlerCall call) {
        calls.remove(call);
    }

    /** Returns the outcomes, the oldest first. Their deliveries stay in hand until {@link #noted} is called. */
    synchronized List<HandlerCall.Result> outcomes() {
        return List.copyOf(outcomes);
    }

    /** Removes outcomes that were recorded, the oldest first. */
    synchronized void noted(List<HandlerCall.Result> done) {
        outcomes.subList(0, done.size()).clear();
    }

    /** Interrupts calls that take too long, and returns in how many nanoseconds to check again. */
    synchronized long interruptLate(long now) {
        long limit = TimeUnit.NANOSECONDS.convert(timeout); // 292 years at most
        long wait = isBusy() ? limit : Long.MAX_VALUE; // a call may be about to start
        for (HandlerCall call : calls) {
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

    /** Interrupts the running calls. Those that then fail have no outcome. */
    synchronized void dropCalls() {
        calls.forEach(HandlerCall::drop);
    }
}
