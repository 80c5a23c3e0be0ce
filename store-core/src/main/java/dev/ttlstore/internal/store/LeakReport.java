package dev.ttlstore.internal.store;

import java.lang.ref.Cleaner;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.internal.access.StoreAccess;

/**
 * Closes a store that became unreachable without being closed, so that its file can be opened again, and logs a
 * warning. This object must not refer to the {@link StoreAccess}, which would then never become unreachable.
 */
final class LeakReport implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(LeakReport.class);

    /** Its thread ends when this class is unloaded, because the thread has none of our class loaders. */
    private static final Cleaner CLEANER = Cleaner.create();

    private final String location;
    private final Shutdown shutdown;
    private final Throwable opening = new Throwable("The store was opened here");

    private LeakReport(String location, Shutdown shutdown) {
        this.location = location;
        this.shutdown = shutdown;
    }

    /**
     * Reports a store if it becomes unreachable before it is closed.
     *
     * @param access the object that everything in users' hands refers to
     * @param location where the store is, for the message
     * @param shutdown closes the store
     * @return the report; clean it when the store has been closed
     */
    static Cleaner.Cleanable on(StoreAccess access, String location, Shutdown shutdown) {
        return CLEANER.register(access, new LeakReport(location, shutdown));
    }

    @Override
    public void run() {
        if (shutdown.hasBegun()) {
            return;
        }
        // Closing commits and may wait, which would delay the reports of other stores.
        Thread thread = BackgroundThreads.named("ttl-store-leak").newThread(this::tellAndClose);
        thread.start();
    }

    private void tellAndClose() {
        log.warn(
                "The store {} became unreachable without being closed, and is closed now; close it after use, with"
                        + " try (Store store = …), or with a destroy method if it is a bean",
                location,
                opening);
        try {
            shutdown.run();
        } catch (RuntimeException | Error e) { // no caller could handle it
            log.warn(
                    "The store {} became unreachable without being closed, and could not be closed properly",
                    location,
                    e);
        }
    }
}
