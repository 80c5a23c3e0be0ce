package dev.ttlstore;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/** Begins asynchronous writes with an expiry of which it is not known yet whether it is valid. If it is not, their futures fail. */
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
