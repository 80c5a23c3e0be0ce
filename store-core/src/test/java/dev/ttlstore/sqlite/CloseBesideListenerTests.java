package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Codec;
import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.TextGroup;
import dev.ttlstore.ValueCipher;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreLockedException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
    void aFileThatIsClosedBesideACommitThatDoesNotEndIsFreeOnceItHas(@TempDir Path folder) {
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        StoreBuilder settings = Store.builder().path(folder.resolve("store.db")).closeTimeout(Duration.ofMillis(100));
        Store store = settings.encrypt(name -> true, opening(called, release)).open();
        store.group("group", Codec.longs()).put("key", 1L);
        CompletableFuture<Long> sum = store.counters("group").async().increment("key");
        Threads.await(called);
        store.close();
        assertThat(sum)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(OutcomeUnknownException.class);
        assertThatExceptionOfType(StoreLockedException.class)
                .isThrownBy(() -> settings.lockTimeout(Duration.ZERO).open());
        release.countDown();
        try (Store again = settings.lockTimeout(Duration.ofSeconds(30)).open()) {
            assertThat(again.counters("group").increment("key")).isEqualTo(3);
        }
    }

    private static ValueCipher opening(CountDownLatch called, CountDownLatch release) {
        return new ValueCipher() {
            @Override
            public byte[] seal(String group, String key, byte[] value) {
                return value.clone();
            }

            @Override
            public byte[] open(String group, String key, byte[] sealed) {
                called.countDown();
                Threads.await(release);
                return sealed.clone();
            }
        };
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
