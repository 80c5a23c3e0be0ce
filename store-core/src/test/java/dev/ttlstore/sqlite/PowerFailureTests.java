package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Durability;
import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.support.OwnerState;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Versions after a power failure, which takes what is not on the disk: with {@link Durability#NORMAL}, all that was written after the
 * last version was set aside.
 */
@Promise({9, 11})
class PowerFailureTests {

    /** As many as are set aside at a time. */
    private static final int BLOCK = 10_000;

    @TempDir
    Path folder;

    @Test
    void versionsThatWereLostAreNotUsedAgain() throws IOException {
        Path file = folder.resolve("store.db");
        Path left = folder.resolve("left.db");
        long last;
        try (Store store =
                Store.builder().path(file).durability(Durability.NORMAL).open()) {
            for (int block = 0; block < 3; block++) {
                long first = version(store); // sets a block aside, and brings that to the disk
                copy(file, left);
                store.group("group").putAll(many(BLOCK - 1));
                last = store.group("group").entry("key0").orElseThrow().version();
                assertThat(last).isGreaterThanOrEqualTo(first);
                try (Store after = Store.open(left)) {
                    assertThat(version(after)).isGreaterThan(first + BLOCK - 1);
                }
                version(store);
            }
        }
    }

    private static long version(Store store) {
        store.group("group").put("key", "value");
        return store.group("group").entry("key").orElseThrow().version();
    }

    private static Map<String, String> many(int entries) {
        return IntStream.range(0, entries).boxed().collect(Collectors.toMap(i -> "key" + i, i -> "value"));
    }

    private static void copy(Path file, Path to) throws IOException {
        for (String end : new String[] {"", "-wal"}) {
            Path target = Path.of(to + end);
            Files.deleteIfExists(target);
            Files.copy(Path.of(file + end), target);
        }
        Files.deleteIfExists(Path.of(to + "-shm"));
    }

    @Test
    void aBlockIsBroughtToTheDiskOnceAndAgainIfThatHasFailed() throws IOException {
        OwnerState owner = Transactions.owner();
        AtomicInteger syncs = new AtomicInteger();
        AtomicBoolean fails = new AtomicBoolean(true);
        try (SqliteSession session = SqliteSession.open(SqliteSession.MEMORY, new SqliteErrors("in memory"))) {
            session.configure(SqliteSession.Role.MEMORY, settings());
            SqliteSchema.prepare(session);
            Runnable commit = () -> new SqliteTransaction(
                            session,
                            owner,
                            () -> {
                                syncs.incrementAndGet();
                                return !fails.get();
                            },
                            false,
                            Integer.MAX_VALUE)
                    .commit(transaction -> owner.next(), () -> {});
            commit.run();
            commit.run();
            assertThat(syncs).hasValue(2);
            fails.set(false);
            for (int i = 0; i < BLOCK; i++) {
                commit.run();
            }
            assertThat(syncs).hasValue(3);
            commit.run();
            commit.run();
            assertThat(syncs).hasValue(4);
        }
    }

    private SqliteSettings settings() {
        return Sqlite.inMemory().settings(new EngineSettings(false, Duration.ZERO, InstantSource.system()));
    }
}
