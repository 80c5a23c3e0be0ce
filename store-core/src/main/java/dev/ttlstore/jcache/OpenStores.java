package dev.ttlstore.jcache;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.ttlstore.Store;

/**
 * The stores that managers of this process have opened by their URI. A file has one owner, but managers of several class
 * loaders may have the same URI, so they share its store. The last one closes it.
 */
final class OpenStores {

    private static final Map<Location, Shared> STORES = new HashMap<>();

    private OpenStores() {}

    /** Opens the store at a location, unless it is open already. */
    static StoreLease lease(Location location) {
        synchronized (STORES) {
            Shared shared = STORES.computeIfAbsent(location, at -> new Shared(at.open()));
            shared.leases++;
            return new Lease(location, shared.store);
        }
    }

    private static void giveBack(Location location) {
        synchronized (STORES) {
            Shared shared = STORES.get(location);
            if (shared == null || --shared.leases > 0) {
                return;
            }
            STORES.remove(location);
            // Within the lock, because the next lease cannot open the file before it is closed.
            shared.store.close();
        }
    }

    private static final class Shared {

        private final Store store;
        private int leases;

        private Shared(Store store) {
            this.store = store;
        }
    }

    private static final class Lease implements StoreLease {

        private final Location location;
        private final Store store;
        private final AtomicBoolean closed = new AtomicBoolean();

        private Lease(Location location, Store store) {
            this.location = location;
            this.store = store;
        }

        @Override
        public Store store() {
            return store;
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                giveBack(location);
            }
        }
    }
}
