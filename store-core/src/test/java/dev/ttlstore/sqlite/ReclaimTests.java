package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.SmallDisk;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.exception.StoreFullException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A store whose content shrank shrinks on the disk. */
@Promise({6, 23})
@Timeout(120)
class ReclaimTests {

    private static final long MIB = 1024 * 1024;

    /** What is in use, and what stays free because less is not worth the work: 8 MiB, if some was given back while a purge went on. */
    private static final long SMALL = 10 * MIB;

    private static final long LARGE = 14 * MIB;

    /** How many entries are new at most. */
    private static final int NEW = 1_000;

    private static final Duration TTL = Duration.ofHours(1);
    private static final Duration AT_ONCE = Duration.ofMillis(20);

    @TempDir
    Path folder;

    private final MovableClock clock = new MovableClock();
    private Path file = Path.of("unset");

    @BeforeEach
    void nameFile() throws IOException {
        file = folder.toRealPath().resolve("store.db");
    }

    private Store open(Duration reclaimAfter) {
        return open(Sqlite.file(file).reclaimAfter(reclaimAfter));
    }

    private Store open(Sqlite engine) {
        return Store.builder()
                .engine(engine)
                .clock(clock)
                .purgeInterval(Duration.ZERO)
                .open();
    }

    /** Writes 16 MB that expire, and one entry that does not. */
    private static void fill(Store store) {
        fill(store, 40);
    }

    private static void fill(Store store, int parts) {
        TextGroup group = store.group("group");
        for (int part = 0; part < parts; part++) {
            Map<String, String> values = new HashMap<>();
            for (int i = 0; i < 100; i++) {
                values.put(part + "-" + i, "x".repeat(4_000));
            }
            group.putAll(values, TTL);
        }
        store.group("kept").put("key", "value");
    }

    private void awaitSmall() {
        Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> Files.size(file) < SMALL);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theFileShrinksAfterAPurgeAndAfterAGroupIsDeleted(boolean purge) throws Exception {
        try (Store store = open(AT_ONCE)) {
            fill(store);
            store.backup(folder.resolve("1.backup")); // which checkpoints
            Awaitility.await().until(() -> Files.size(file) > LARGE);
            if (purge) {
                clock.advance(TTL);
                assertThat(store.purgeExpired()).isEqualTo(4_000);
            } else {
                assertThat(store.group("group").clear()).isEqualTo(4_000);
            }
            awaitSmall();
            assertThat(store.group("kept").getAll()).isEqualTo(Map.of("key", "value"));
            store.check();
        }
        assertSound();
    }

    private void assertSound() throws SQLException {
        assertThat(Sql.query(file, "PRAGMA integrity_check")).containsExactly("ok");
    }

    @Test
    @Promise({4, 8, 23})
    void whoeverWritesOrReadsMeanwhileLosesNothing() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (Store store = open(AT_ONCE)) {
            fill(store);
            clock.advance(TTL);
            Future<Integer> writes = Threads.start(thread -> {
                int written = 0;
                while (!over.get()) {
                    String key = "key" + written % NEW; // or what is new would fill the file again
                    store.group("new").put(key, "value" + written);
                    assertThat(store.group("new").get(key)).contains("value" + written);
                    assertThat(store.group("kept").get("key")).contains("value");
                    written++;
                }
                return written;
            });
            assertThat(store.purgeExpired()).isEqualTo(4_000);
            awaitSmall();
            over.set(true);
            int written = Threads.get(writes);
            assertThat(written).isPositive();
            assertThat(store.group("new").count()).isEqualTo(Math.min(written, NEW));
        }
        assertSound();
    }

    @Tag("slow")
    @Test
    @Promise({22, 23})
    void aStoreThatIsClosedMeanwhileGoesOnWhenItOpensAgain() throws Exception {
        try (Store store = open(Duration.ofNanos(1))) {
            fill(store);
            store.group("group").clear();
        }
        assertSound();
        try (Store store = open(AT_ONCE)) {
            awaitSmall();
            assertThat(store.group("kept").get("key")).contains("value");
        }
        assertThat(Files.size(file)).isLessThan(SMALL);
    }

    @Test
    void withZeroTheFileNeverShrinks() throws Exception {
        try (Store store = open(Duration.ZERO)) {
            fill(store);
            store.group("group").clear();
        }
        assertThat(Sql.query(file, "PRAGMA auto_vacuum")).containsExactly("0");
        assertThat(Files.size(file)).isGreaterThan(LARGE);
    }

    @Tag("slow")
    @Test
    @Promise({20, 21})
    void aFileThatCannotShrinkCanOnceItsBackupIsRestored() throws Exception {
        Path backup = folder.resolve("store.db.1.backup");
        try (Store store = open(Duration.ZERO)) {
            fill(store);
        }
        try (Store store = open(AT_ONCE)) {
            store.backup(backup);
        }
        assertThat(Sql.query(file, "PRAGMA auto_vacuum")).containsExactly("0");
        Files.delete(file);
        try (Store store = open(Sqlite.file(file).reclaimAfter(AT_ONCE).restoreFrom(backup))) {
            assertThat(Files.size(file)).isGreaterThan(LARGE);
            assertThat(store.group("group").clear()).isEqualTo(4_000);
            awaitSmall();
        }
        assertThat(Sql.query(file, "PRAGMA auto_vacuum")).containsExactly("2");
        assertSound();
    }

    @Tag("slow")
    @Test
    @Promise({8, 21})
    void aBackupMadeMeanwhileIsWhole() throws Exception {
        List<Path> backups = List.of(folder.resolve("1.backup"), folder.resolve("2.backup"));
        try (Store store = open(AT_ONCE)) {
            fill(store);
            store.group("group").clear();
            for (Path backup : backups) {
                store.backup(backup);
            }
            awaitSmall();
        }
        for (Path backup : backups) {
            assertThat(Sql.query(backup, "PRAGMA integrity_check")).containsExactly("ok");
            assertThat(Sql.query(backup, "SELECT key FROM entry")).containsExactly("key");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFullDiskGetsRoomBackOnceEntriesAreRemoved() throws Exception {
        try (SmallDisk disk = SmallDisk.inMemory(folder.toRealPath(), 24)) {
            file = disk.file("store.db");
            try (Store store = open(AT_ONCE)) {
                assertThatExceptionOfType(StoreFullException.class).isThrownBy(() -> fill(store, 70));
                clock.advance(TTL);
                assertThat(store.purgeExpired()).isPositive();
                awaitSmall();
                store.check();
                store.group("group").put("key", "value");
            }
            assertSound();
        }
    }
}
