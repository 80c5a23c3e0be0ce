package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.LogRecorder;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.SmallDisk;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFullException;

import ch.qos.logback.classic.Level;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A store whose log another program checkpoints, as Litestream does, and what is restored from its replica. */
@Promise({9, 21, 23})
@Timeout(120)
class ExternalCheckpointTests {

    private static final int MIB = 1024 * 1024;
    private static final String VALUE = "x".repeat(10_000);

    @TempDir
    Path folder;

    private Path file = Path.of("unset");
    private Path wal = Path.of("unset");

    @BeforeEach
    void nameFiles() throws IOException {
        file = folder.toRealPath().resolve("store.db");
        wal = folder.toRealPath().resolve("store.db-wal");
    }

    private static Store open(Path file) {
        return open(file, true, InstantSource.system());
    }

    private static Store open(Path file, boolean external, InstantSource clock) {
        return Store.builder()
                .engine(Sqlite.file(file).walLimit(MIB).externalCheckpoints(external))
                .clock(clock)
                .purgeInterval(Duration.ZERO)
                .open();
    }

    private static void write(Store store, int from, int to) {
        TextGroup group = store.group("group");
        for (int i = from; i < to; i++) {
            group.put("key" + i, VALUE);
        }
    }

    @Test
    void theStoreMakesNoCheckpointHoweverMuchItWrites() throws Exception {
        try (Store store = open(file);
                Replicator replicator = new Replicator(file)) {
            long before = Files.size(file);
            write(store, 0, 500);
            store.backup(folder.resolve("1.backup"));
            write(store, 500, 600);
            assertThat(Files.size(wal)).isGreaterThan(5L * MIB);
            assertThat(Files.size(file)).isEqualTo(before);
            replicator.checkpoint("TRUNCATE");
            assertThat(Files.size(wal)).isLessThan(MIB);
            assertThat(Files.size(file)).isGreaterThan(5L * MIB);
            assertThat(store.group("group").count()).isEqualTo(600);
        }
    }

    @Test
    void aStoreThatIsClosedLeavesTheLogToTheOther() throws Exception {
        try (Replicator replicator = replicated()) {
            assertThat(Files.size(wal)).isPositive();
            Path replica = folder.resolve("replica.db");
            replicator.replicate(replica);
            try (Store restored = open(replica)) {
                assertThat(restored.group("group").count()).isEqualTo(100);
            }
        }
    }

    private Replicator replicated() throws SQLException {
        try (Store store = open(file)) {
            Replicator replicator = new Replicator(file);
            write(store, 0, 100);
            return replicator;
        }
    }

    @Test
    void aLogThatNobodyCheckpointsIsReportedUntilSomebodyDoes() throws Exception {
        try (LogRecorder log = new LogRecorder(Checkpointer.class.getName(), Level.WARN);
                Store store = open(file);
                Replicator replicator = new Replicator(file)) {
            write(store, 0, 50);
            store.check();
            write(store, 50, 400);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(store::check)
                    .withMessageContaining("Litestream");
            assertThat(log.messages()).hasSize(1);
            replicator.checkpoint("PASSIVE");
            assertThatCode(store::check).doesNotThrowAnyException();
        }
    }

    @Test
    @Promise({8, 9, 11, 21})
    void eachReplicaHasAllThatWasWrittenUntilThenAndUsesNoVersionAgain() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger written = new AtomicInteger();
        Semaphore permits = new Semaphore(0); // so that the log does not outgrow the one who copies it
        List<Path> replicas = new ArrayList<>();
        List<Integer> least = new ArrayList<>();
        long last;
        try (Store store = open(file);
                Replicator replicator = new Replicator(file)) {
            Future<Long> writes = Threads.start(thread -> {
                long version = 0;
                while (!over.get()) {
                    permits.acquire();
                    version = store.group("group").put("key" + written.get(), VALUE);
                    written.incrementAndGet();
                }
                return version;
            });
            for (int i = 0; i < 6; i++) {
                int target = written.get() + 50;
                permits.release(150);
                Awaitility.await().until(() -> written.get() >= target);
                least.add(written.get());
                Path replica = folder.resolve("replica" + i + ".db");
                replicator.replicate(replica);
                replicas.add(replica);
                replicator.checkpoint(i % 2 == 0 ? "PASSIVE" : "TRUNCATE");
            }
            over.set(true);
            permits.release();
            last = Threads.get(writes);
        }
        for (int i = 0; i < replicas.size(); i++) {
            try (Store restored = open(replicas.get(i))) {
                TextGroup group = restored.group("group");
                long count = group.count();
                assertThat(count).isGreaterThanOrEqualTo(least.get(i));
                assertThat(group.get("key0")).contains(VALUE);
                assertThat(group.get("key" + (count - 1))).contains(VALUE);
                assertThat(group.put("new", "value")).isGreaterThan(last);
            }
            assertThat(Sql.query(replicas.get(i), "PRAGMA integrity_check")).containsExactly("ok");
        }
    }

    @Test
    void aReplicaUsesNoVersionAgainAlthoughItsOpenerDoesNotKnowThatItIsOne() throws Exception {
        Path replica = folder.resolve("replica.db");
        long last;
        try (Store store = open(file, false, InstantSource.system());
                Replicator replicator = new Replicator(file)) {
            write(store, 0, 10);
            replicator.replicate(replica);
            write(store, 10, Effort.of(50, 300)); // the writer waits for the reader when the log is long
            last = store.group("group").put("key", "value");
        }
        try (Store restored = open(replica, false, InstantSource.system())) {
            assertThat(restored.group("group").put("key", "value")).isGreaterThan(last + 1_000_000);
        }
    }

    @Test
    void twoReplicasOpenedByClocksThatAreWrongUseDifferentVersions() throws Exception {
        InstantSource wrong = InstantSource.fixed(Instant.EPOCH.plusMillis(1));
        long last;
        try (Store store = open(file, true, wrong);
                Replicator replicator = new Replicator(file)) {
            last = store.group("group").put("key", "value");
            replicator.replicate(folder.resolve("1.db"));
            replicator.replicate(folder.resolve("2.db"));
        }
        try (Store one = open(folder.resolve("1.db"), true, wrong);
                Store other = open(folder.resolve("2.db"), true, wrong)) {
            long first = one.group("group").put("key", "value");
            assertThat(first).isGreaterThan(last + (1L << 32) - 20_000);
            assertThat(other.group("group").put("key", "value")).isNotEqualTo(first);
        }
    }

    @Test
    void aStoreThatWasNeverReplicatedLeavesNoVersionOut() {
        long last;
        try (Store store = open(file, false, InstantSource.system())) {
            last = store.group("group").put("key", "value");
        }
        try (Store store = open(file, false, InstantSource.system())) {
            assertThat(store.group("group").put("key", "value")).isEqualTo(last + 1);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void onAFullDiskTheStoreMakesCheckpointsOnceTheOtherHasStopped() throws Exception {
        try (SmallDisk disk = SmallDisk.inMemory(folder.toRealPath(), 24)) {
            file = disk.file("store.db");
            try (Store store = open(file)) {
                try (Replicator replicator = new Replicator(file)) {
                    write(store, 0, 100);
                    replicator.checkpoint("PASSIVE");
                    assertThatExceptionOfType(StoreFullException.class).isThrownBy(() -> write(store, 100, 10_000));
                    assertThat(store.group("group").delete("key0")).isTrue();
                }
                write(store, 0, 1);
                assertThat(store.group("group").get("key0")).contains(VALUE);
            }
            assertThat(Sql.query(file, "PRAGMA integrity_check")).containsExactly("ok");
        }
    }
}
