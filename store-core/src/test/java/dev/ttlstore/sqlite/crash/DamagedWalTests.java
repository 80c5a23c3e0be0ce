package dev.ttlstore.sqlite.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.SortedMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

/**
 * A log that was cut off or damaged. Each of its pages has a checksum that goes on from the one before, so what is found is
 * what stood before the first commit that is hurt: never less, never more, never something else.
 */
@Promise(23)
class DamagedWalTests {

    private static final int VARIATIONS = Integer.getInteger("damage.variations", Effort.of(2, 40));
    private static final long SEED = Long.getLong("damage.seed", 1);
    private static final int COMMITS = 60;

    @TempDir
    Path folder;

    private final MovableClock clock = new MovableClock();
    private final Random random = new Random(SEED);

    @ParameterizedTest
    @EnumSource
    void ofADamagedLogIsFoundWhatStoodBeforeTheDamage(Damage damage) throws IOException {
        Path file = folder.resolve("store.db");
        try (Store store = History.open(file, clock)) {
            History.write(store, file, SEED, COMMITS);
        }
        Path left = folder.resolve("left.db");
        History history;
        try (Store store = History.open(file, clock)) {
            history = History.write(store, file, SEED + 1, COMMITS);
            StoreFiles.copy(file, left);
        }
        byte[] log = Files.readAllBytes(StoreFiles.wal(left));
        assertThat(log.length).isBetween(100_000, 4_000_000); // from one opening on, and not yet taken into the file
        for (int i = 0; i < VARIATIONS; i++) {
            byte[] damaged = damage.on(log, random);
            int hurt = Arrays.mismatch(log, damaged);
            SortedMap<Place, State> expected = hurt < 0 ? history.last() : history.before(hurt);
            check(left, damaged, expected, history, damage + " " + i + " at " + hurt + " of " + log.length);
        }
    }

    private void check(Path left, byte[] log, SortedMap<Place, State> expected, History history, String what)
            throws IOException {
        Path copy = StoreFiles.copy(left, folder.resolve("copy.db"));
        Files.write(StoreFiles.wal(copy), log);
        try {
            try (Store store = History.open(copy, clock)) {
                Views.require(store, expected, history.places());
                store.group("after").put("the damage", "goes on");
            }
            try (Store store = History.open(copy, clock)) {
                assertThat(store.group("after").take("the damage")).contains("goes on");
                Views.require(store, expected, history.places());
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("With -Ddamage.seed=" + SEED + ": " + what + ": " + e.getMessage(), e);
        }
    }

    /** The index beside the log is not believed after a crash, whatever is in it. */
    @Test
    void whatIsInTheSharedMemoryFileDoesNotMatter() throws IOException {
        Path file = folder.resolve("store.db");
        Path left = folder.resolve("left.db");
        History history;
        byte[] index;
        try (Store store = History.open(file, clock)) {
            history = History.write(store, file, SEED, COMMITS);
            StoreFiles.copy(file, left);
            index = Files.readAllBytes(folder.resolve("store.db-shm"));
        }
        for (Damage damage : Damage.values()) {
            for (int i = 0; i < Math.max(1, VARIATIONS / 10); i++) {
                Path copy = StoreFiles.copy(left, folder.resolve("copy.db"));
                Files.write(folder.resolve("copy.db-shm"), damage.on(index, random));
                try (Store store = History.open(copy, clock)) {
                    Views.require(store, history.last(), history.places());
                }
            }
        }
    }
}
