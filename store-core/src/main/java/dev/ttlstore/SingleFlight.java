package dev.ttlstore;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.RowKey;

/** Sees to it that a key is loaded by one caller at a time. */
final class SingleFlight {

    private final ConcurrentMap<RowKey, Load> underWay = new ConcurrentHashMap<>();

    private record Load(Thread loader, CountDownLatch ended) {}

    /**
     * Runs a load, unless another is under way; then waits for that one to end.
     *
     * @return what the load returned; null if another was waited for
     */
    <T> @Nullable T runOrWait(RowKey key, Supplier<T> load) {
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
                interrupted = true; // the load is not ours to give up
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
