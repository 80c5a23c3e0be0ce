package dev.ttlstore.jcache;

import java.util.function.Supplier;

import javax.cache.CacheException;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;

/** Throws the failures of a store as JCache promises them. */
final class Failures {

    private Failures() {}

    static <R extends @Nullable Object> R translate(Supplier<R> call) {
        try {
            return call.get();
        } catch (StoreClosedException e) {
            throw new IllegalStateException(e.getMessage(), e);
        } catch (StoreException e) {
            throw new CacheException(e.getMessage(), e);
        }
    }
}
