package dev.ttlstore.internal.access;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.support.Deadline;

/** Lets one caller at a time load a key. Thread-safe. */
public final class SingleFlight {

    /** How often a waiting caller looks whether the store is still open: a loader may never return. */
    private static final Duration LOOK = Duration.ofMillis(100);

    private final ConcurrentMap<RowKey, Load> underWay = new ConcurrentHashMap<>();

    private record Load(Thread loader, CountDownLatch ended) {}

    /** Creates one without a load in progress. */
    public SingleFlight() {}

    /**
     * Runs a load, or waits for the end of a load of the same key in progress.
     *
     * @param key the key
     * @param load loads the value
     * @param requireOpen throws if there is nothing to wait for any more, because the store is closed
     * @return the loaded value; null if this call waited for another load
     * @param <T> the type of the value
     */
    public <T> @Nullable T runOrWait(RowKey key, Supplier<T> load, Runnable requireOpen) {
        Load mine = new Load(Thread.currentThread(), new CountDownLatch(1));
        Load other = underWay.putIfAbsent(key, mine);
        if (other == null) {
            try {
                return load.get();
            } finally {
                underWay.remove(key, mine);
                mine.ended().countDown();
            }
        }
        if (other.loader() == Thread.currentThread()) {
            throw new IllegalStateException("A loader must not ask for the key that it is loading");
        }
        awaitEnd(other, requireOpen);
        return null;
    }

    /** Another caller runs the load, so an interrupt does not end the wait. */
    private static void awaitEnd(Load load, Runnable requireOpen) {
        while (!Deadline.in(LOOK).tryUntil(nanos -> load.ended().await(nanos, TimeUnit.NANOSECONDS))) {
            requireOpen.run();
        }
    }
}
