package dev.ttlstore.spring.cache;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Store;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Callers that wait for what another one loads. */
class SharedLoadsTests {

    private final Store store = Store.builder().inMemory().open();
    private final StoreCache cache = new StoreCacheManager(
                    store,
                    name -> new StoreCacheSettings(
                            Duration.ZERO, true, new JavaCodec(AllowedClasses.of(List.of()), "property", null)),
                    List.of())
            .getCache("books");

    /** What another caller is loading. */
    private final CompletableFuture<String> loading = new CompletableFuture<>();

    @AfterEach
    void close() {
        store.close();
    }

    /** A caller that has begun to wait. */
    private final class Waiting {
        private final FutureTask<@Nullable String> task = new FutureTask<>(
                () -> cache.get("key", () -> "of its own") + (Thread.interrupted() ? ", interrupted" : ""));
        private final Thread thread = new Thread(task);

        Waiting() {
            CompletableFuture<String> unused = cache.retrieve("key", () -> loading);
            thread.start();
            await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        }

        @Nullable
        String get() throws ExecutionException, InterruptedException, TimeoutException {
            return task.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void itGetsWhatTheOtherHasLoaded() throws Exception {
        Waiting waiting = new Waiting();
        loading.complete("of the other");
        assertThat(waiting.get()).isEqualTo("of the other");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itLoadsItselfIfTheOtherFails(boolean isCancelled) throws Exception {
        Waiting waiting = new Waiting();
        if (isCancelled) {
            loading.cancel(false);
        } else {
            loading.completeExceptionally(new IllegalStateException("no books"));
        }
        assertThat(waiting.get()).isEqualTo("of its own");
        assertThat(cache.get("key", String.class)).isEqualTo("of its own");
    }

    /** Its own loader could be interrupted, but another caller runs the loader. */
    @Test
    void anInterruptIsKeptForLater() throws Exception {
        Waiting waiting = new Waiting();
        waiting.thread.interrupt();
        await().until(() -> !waiting.thread.isInterrupted() && waiting.thread.getState() == Thread.State.TIMED_WAITING);
        loading.complete("of the other");
        assertThat(waiting.get()).isEqualTo("of the other, interrupted");
    }

    @Test
    void itLearnsThatTheStoreIsClosed() {
        Waiting waiting = new Waiting();
        store.close();
        assertThat(waiting.task)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(StoreClosedException.class);
    }

    /** Spring calls these where nobody catches what is thrown at once. */
    @Test
    void aFutureTellsThatTheStoreIsClosed() {
        store.close();
        for (CompletableFuture<?> failed : List.of(cache.retrieve("key"), cache.retrieve("key", () -> loading))) {
            assertThat(failed)
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(StoreClosedException.class);
        }
    }
}
