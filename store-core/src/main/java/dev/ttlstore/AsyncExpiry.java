package dev.ttlstore;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/** Begins asynchronous writes whose expiry was not checked yet. If it is invalid, the write's future fails. */
final class AsyncExpiry {

    private AsyncExpiry() {}

    static <R extends @Nullable Object> CompletableFuture<R> with(
            Supplier<Expiry> expiry, Function<Expiry, CompletableFuture<R>> write) {
        Expiry valid;
        try {
            valid = expiry.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        return write.apply(valid);
    }
}
