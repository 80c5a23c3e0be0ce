package dev.ttlstore.internal.commit;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.internal.access.Mutation;
import dev.ttlstore.internal.base.Reply;

/** Submits mutations to a pipeline without waiting for them. */
final class Async {

    private Async() {}

    static <R extends @Nullable Object> CompletableFuture<R> submit(CommitPipeline pipeline, Mutation<R> mutation) {
        CompletableFuture<R> future = new CompletableFuture<>();
        pipeline.submitAsync(
                mutation.request(),
                new Reply<>(future, answer -> future.complete(mutation.reading().apply(answer))));
        return future;
    }
}
