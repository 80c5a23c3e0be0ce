package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.SmallDisk;
import dev.ttlstore.exception.StoreFullException;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A store on a small disk. Skipped where this user may not mount one. */
abstract class SmallDiskStore {

    static final String VALUE = "x".repeat(20_000);
    static final Duration TTL = Duration.ofHours(1);

    @TempDir
    Path folder;

    final MovableClock clock = new MovableClock();
    private @Nullable SmallDisk mounted;
    Path file = Path.of("unset");

    @BeforeEach
    final void mount() throws IOException {
        mounted = SmallDisk.inMemory(folder.toRealPath(), 16);
        file = disk().file("store.db");
    }

    @AfterEach
    final void unmount() throws IOException {
        if (mounted != null) {
            mounted.close();
        }
    }

    final SmallDisk disk() {
        return Objects.requireNonNull(mounted);
    }

    static void assertRefused(ThrowingCallable call) {
        assertThatExceptionOfType(StoreFullException.class).isThrownBy(call).withMessageContaining("free space");
    }

    /** Writes until there is no room, and returns how many entries there are by then. */
    static int fill(TextGroup group, int from) {
        int[] written = {from};
        assertThatExceptionOfType(StoreFullException.class)
                .isThrownBy(() -> {
                    while (true) {
                        group.put("key" + written[0], VALUE, TTL);
                        written[0]++;
                    }
                })
                .withMessageContaining("Nothing was written");
        return written[0];
    }

    /** A disk beside the one that each test has. */
    final SmallDisk another(int megabytes) throws IOException {
        return SmallDisk.inMemory(Files.createDirectory(folder.toRealPath().resolve("other")), megabytes);
    }

    final StoreBuilder settings() {
        return settings(file);
    }

    final StoreBuilder settings(Path path) {
        return Store.builder().path(path).clock(clock).purgeInterval(Duration.ZERO);
    }
}
