package dev.ttlstore.jcache;

import java.io.Closeable;
import java.io.IOException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes what the application has given to a cache, if it can be closed. */
final class Closing {

    private static final Logger log = LoggerFactory.getLogger(Closing.class);

    private Closing() {}

    static void close(@Nullable Object given) {
        if (given instanceof Closeable closeable) {
            try {
                closeable.close();
            } catch (IOException | RuntimeException e) {
                log.warn("{} could not be closed", given.getClass().getName(), e);
            }
        }
    }
}
