package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.expiry.ExpirySettings;

/** A file whose bytes a test changes behind the back of the store. */
abstract class ChecksummedFile {

    static final Duration TTL = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    Path file = Path.of("unset");
    final MovableClock clock = new MovableClock();

    @BeforeEach
    final void nameFile() throws IOException {
        file = folder.toRealPath().resolve("store.db");
    }

    final StoreBuilder builder() {
        return Store.builder().path(file).clock(clock).purgeInterval(Duration.ZERO);
    }

    final void write(Consumer<Store> work) {
        try (Store store = builder().open()) {
            work.accept(store);
        }
    }

    /** Keeps what has expired, and gives a delivery one attempt. */
    final StoreBuilder keeping() {
        return builder()
                .retention(Duration.ofDays(1))
                .expiry(ExpirySettings.defaults().withMaxAttempts(1));
    }
}
