package dev.ttlstore.internal.access;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.RowKey;

/** Lets one caller at a time load a key. Thread-safe. */
public final class SingleFlight {

    private final ConcurrentMap<RowKey, Load> underWay = new ConcurrentHashMap<>();

    private record Load(Thread loader, CountDownLatch ended) {}

    /** Creates one without a load in progress. */
    public SingleFlight() {}

    /**
     * Runs a load, or waits for the end of a load of the same key in progress.
     *
     * @param key the key
     * @param load loads the value
     * @return the loaded value; null if this call waited for another load
     * @param <T> the type of the value
     */
    public <T> @Nullable T runOrWait(RowKey key, Supplier<T> load) {
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
        awaitEnd(other);
        return null;
    }

    private static void awaitEnd(Load load) {
        boolean interrupted = false;
        while (load.ended().getCount() > 0) {
            try {
                load.ended().await();
            } catch (InterruptedException e) {
                interrupted = true; // another caller runs the load, so the interrupt does not end the wait
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
