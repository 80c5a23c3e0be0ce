package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.exception.StoreClosedException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** The end of a store while it is backed up or verified. */
@Promise(22)
@Timeout(120)
class LongReadsTests {

    @TempDir
    Path folder;

    private Path file = Path.of("unset");
    private Path backup = Path.of("unset");

    @BeforeEach
    void placeFiles() throws IOException {
        file = folder.toRealPath().resolve("store.db");
        backup = folder.toRealPath().resolve("store.db.backup");
    }

    /** A backup and a verification, which have listeners. */
    enum LongRead {
        BACKUP,
        VERIFICATION;

        private void run(Store store, Path backup, Runnable listener) {
            if (this == BACKUP) {
                store.backup(backup, progress -> listener.run());
            } else {
                store.verify(progress -> listener.run());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aListenerThatDoesNotReturnHoldsTheClosingUpForALimitedTime(LongRead read) {
        Store store =
                Store.builder().path(file).closeTimeout(Duration.ofMillis(100)).open();
        store.group("group").put("key", "value");
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Future<Throwable> reading = Threads.start(thread -> catchThrowable(() -> read.run(store, backup, () -> {
            called.countDown();
            Threads.await(release);
        })));
        Threads.await(called);
        Threads.get(Threads.start(thread -> {
            store.close();
            return true;
        }));
        assertThat(reading).isNotDone();
        try (Store again = Store.open(file)) {
            again.group("group").put("key", "value");
            release.countDown();
            Throwable ended = Threads.get(reading);
            assertThat(ended == null || ended instanceof StoreClosedException)
                    .as("%s", ended)
                    .isTrue();
            again.group("group").put("key", "value");
        }
        try (Store later = Store.open(file)) {
            assertThat(later.verify().isSound()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aListenerMayCloseTheStore(LongRead read) {
        Store store = Store.open(file);
        store.group("group").put("key", "value");
        Throwable ended =
                Threads.get(Threads.start(thread -> catchThrowable(() -> read.run(store, backup, store::close))));
        assertThat(ended == null || ended instanceof StoreClosedException)
                .as("%s", ended)
                .isTrue();
        try (Store again = Store.open(file)) {
            assertThat(again.count()).isEqualTo(1);
        }
    }
}
