package dev.ttlstore.sqlite;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.StoreClosedException;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What a store does when it is closed beside a listener, or another call of the application, that does not return. */
@Promise(22)
class CloseBesideListenerTests {

    @Test
    void noFutureStaysOpen() {
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Store store =
                Store.builder().inMemory().closeTimeout(Duration.ofMillis(100)).open();
        TextGroup group = store.group("group");
        group.put("key", "value");
        Subscription unused = store.onChange(event -> {
            called.countDown();
            Threads.await(release);
        });
        try {
            CompletableFuture<Long> told = group.async().put("other", "value");
            Threads.await(called);
            CompletableFuture<Optional<String>> update = group.async().update("key", value -> "changed");
            store.close();
            assertThat(update)
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(StoreClosedException.class);
            assertThat(told).as("its write is there").succeedsWithin(Duration.ofSeconds(10));
        } finally {
            release.countDown();
        }
    }

    @Test
    void futuresWhoseChangesDoNotReturnFail() {
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Store store = Store.builder().inMemory().open();
        TextGroup group = store.group("group");
        group.put("key", "value");
        try {
            List<CompletableFuture<Optional<String>>> updates = new ArrayList<>();
            for (int i = 0; i < 10; i++) { // more than there are threads at first
                updates.add(group.async().update("key", value -> {
                    called.countDown();
                    Threads.await(release);
                    return "changed";
                }));
            }
            Threads.await(called);
            store.close();
            for (CompletableFuture<Optional<String>> update : updates) {
                assertThat(update)
                        .failsWithin(Duration.ofSeconds(10))
                        .withThrowableOfType(ExecutionException.class)
                        .withCauseInstanceOf(StoreClosedException.class);
            }
        } finally {
            release.countDown();
        }
    }
}
