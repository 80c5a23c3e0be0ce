package dev.ttlstore.internal.store;

import java.lang.ref.Cleaner;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.internal.access.StoreAccess;

/**
 * Notices a store that was let go without being closed: says so, and closes it, so that its file can be opened again. What
 * is here must not lead to the {@link StoreAccess}, or that would never be out of reach.
 */
final class LeakReport implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(LeakReport.class);

    /** Its thread ends when this class is unloaded, for it has none of our class loaders. */
    private static final Cleaner CLEANER = Cleaner.create();

    private final String location;
    private final Shutdown shutdown;
    private final Throwable opening = new Throwable("The store was opened here");

    private LeakReport(String location, Shutdown shutdown) {
        this.location = location;
        this.shutdown = shutdown;
    }

    /**
     * Reports a store, should it go out of reach before it is closed.
     *
     * @param access what users hold of it
     * @param location where it is, for the message
     * @param shutdown what closes it
     * @return to be cleaned when the store has been closed
     */
    static Cleaner.Cleanable on(StoreAccess access, String location, Shutdown shutdown) {
        return CLEANER.register(access, new LeakReport(location, shutdown));
    }

    @Override
    public void run() {
        if (shutdown.hasBegun()) {
            return;
        }
        // Closing commits and may wait, which would hold up the reports of other stores.
        Thread thread = new Thread(this::tellAndClose, "ttl-store-leak");
        thread.setDaemon(true);
        thread.start();
    }

    private void tellAndClose() {
        log.warn(
                "The store {} was let go without being closed, and is closed now: close it when you are done with it, by"
                        + " try (Store store = …), or by a destroy method where it is a bean",
                location,
                opening);
        try {
            shutdown.run();
        } catch (RuntimeException | Error e) { // there is nobody above to take care of it
            log.warn("The store {}, let go without being closed, could not be closed properly", location, e);
        }
    }
}
