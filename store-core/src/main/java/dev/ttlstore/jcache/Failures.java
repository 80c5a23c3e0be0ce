package dev.ttlstore.jcache;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.Supplier;

import javax.cache.CacheException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;

/** What becomes of failures: JCache says how those of a store are thrown, and those of closing are logged. */
final class Failures {

    private static final Logger log = LoggerFactory.getLogger(Failures.class);

    private Failures() {}

    /** Calls the store, and throws its failures as JCache promises them. */
    static <R extends @Nullable Object> R translate(Supplier<R> call) {
        try {
            return call.get();
        } catch (StoreClosedException e) {
            throw new IllegalStateException(e.getMessage(), e);
        } catch (StoreException e) {
            throw new CacheException(e.getMessage(), e);
        }
    }

    /** Does what may fail, and cleans up if it does. */
    static <R> R orCleanUp(Supplier<R> attempt, Runnable cleanUp) {
        try {
            return attempt.get();
        } catch (RuntimeException | Error e) {
            cleanUp.run();
            throw e;
        }
    }

    /** Closes what the application has given to a cache, if it can be closed. */
    static void closeQuietly(@Nullable Object given) {
        if (given instanceof Closeable closeable) {
            try {
                closeable.close();
            } catch (IOException | RuntimeException e) {
                SafeLog.ofApplication(log, given.getClass().getName() + " could not be closed")
                        .warn(e);
            }
        }
    }
}
