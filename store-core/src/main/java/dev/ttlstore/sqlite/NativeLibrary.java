package dev.ttlstore.sqlite;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Loads SQLite's native library at the first use. The driver unpacks it in a way that an interrupt breaks off, and after that
 * never tries again; so it is done in a thread that nobody interrupts.
 */
final class NativeLibrary {

    private static final Logger log = LoggerFactory.getLogger(NativeLibrary.class);

    private static boolean tried;

    private NativeLibrary() {}

    /** Returns when the library has been loaded. Should that have failed, it is the opening that says so. */
    static synchronized void load() {
        if (!tried) {
            tried = true;
            Thread loader = new Thread(NativeLibrary::unpack, "ttl-store-load");
            loader.setDaemon(true);
            loader.start();
            awaitEnd(loader);
        }
    }

    private static void unpack() {
        try {
            SQLiteJDBCLoader.initialize();
        } catch (Exception | LinkageError e) {
            log.debug("SQLite's native library could not be loaded", e);
        }
    }

    private static void awaitEnd(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
