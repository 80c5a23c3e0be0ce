package dev.ttlstore.sqlite.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A file that was damaged while no process had it. Damage to its structure is told when it is come by, as is a value that does not match
 * its checksum; a bit that flips within a time is not found out by anybody but its owner.
 */
@Promise(23)
@Timeout(120)
class DamagedFileTests {

    private static final int VARIATIONS = Integer.getInteger("damage.variations", Effort.of(2, 40));
    private static final long SEED = Long.getLong("damage.seed", 1);
    private static final int COMMITS = 150;
    private static final int PAGE = 4_096;

    /** What the first byte of a page is that belongs to a table or an index. */
    private static final Set<Byte> TREE_PAGES = Set.of((byte) 2, (byte) 5, (byte) 10, (byte) 13);

    @TempDir
    Path folder;

    private final MovableClock clock = new MovableClock();
    private final Random random = new Random(SEED);

    @ParameterizedTest
    @EnumSource
    void aDamagedFileIsReadOrRefusedInOurOwnWords(Damage damage) throws IOException {
        Path file = folder.resolve("store.db");
        History history = write(file);
        byte[] whole = Files.readAllBytes(file);
        Map<String, Integer> outcomes = new TreeMap<>();
        for (int i = 0; i < VARIATIONS; i++) {
            Path copy = folder.resolve("copy.db");
            Files.write(copy, damage.on(whole, random));
            try {
                use(copy, history, outcomes);
            } catch (RuntimeException e) {
                throw new AssertionError("With -Ddamage.seed=" + SEED + ": " + damage + " " + i, e);
            }
        }
        assertThat(outcomes).isNotEmpty();
    }

    @Test
    @Tag("crash")
    void aPageThatIsNoneAnyMoreIsToldOrNotNeeded() throws IOException {
        Path file = folder.resolve("store.db");
        History history = write(file);
        byte[] whole = Files.readAllBytes(file);
        int pages = 0;
        int told = 0;
        for (int page = 1; page < whole.length / PAGE; page++) {
            if (!TREE_PAGES.contains(whole[page * PAGE])) {
                continue; // it has nothing but a part of a value
            }
            byte[] damaged = whole.clone();
            damaged[page * PAGE] = 0x7F;
            pages++;
            Path copy = folder.resolve("copy.db");
            Files.write(copy, damaged);
            try (Store store = History.open(copy, clock)) {
                Views.require(store, history.last(), history.places());
            } catch (StoreCorruptedException e) {
                told++;
            }
        }
        assertThat(told).isGreaterThan(pages / 2);
    }

    /** But one without a single byte is as good as new: that is how a crash may leave one which it was about to make. */
    @Test
    void aFileThatWasCutOffIsRefusedWhereverItWasCut() throws IOException {
        Path file = folder.resolve("store.db");
        write(file);
        byte[] whole = Files.readAllBytes(file);
        for (int i = 0; i < 5 * VARIATIONS; i++) {
            int lost = 1 + random.nextInt(i % 2 == 0 ? PAGE : whole.length - 1); // half of them in the last page
            int length = whole.length - lost;
            Path copy = folder.resolve("copy.db");
            Files.write(copy, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> History.open(copy, clock).close())
                    .as("cut at %s of %s, with -Ddamage.seed=%s", length, whole.length, SEED)
                    .isInstanceOfAny(StoreCorruptedException.class, StoreFormatException.class);
            assertThat(Files.size(copy)).isEqualTo(length);
        }
    }

    private History write(Path file) throws IOException {
        try (Store store = History.open(file, clock)) {
            return History.write(store, file, SEED, COMMITS);
        }
    }

    /** Reads all, and writes some. */
    private void use(Path file, History history, Map<String, Integer> outcomes) {
        try (Store store = History.open(file, clock)) {
            for (Supplier<Object> read : Views.all(store, history.places())) {
                attempt(() -> assertThat(read.get()).isNotNull(), outcomes);
            }
            for (Place place : history.places()) {
                attempt(() -> store.group(place.group()).put(place.key(), "anew", Duration.ofMinutes(1)), outcomes);
                attempt(() -> store.group(place.group()).delete(place.key()), outcomes);
            }
            attempt(store::check, outcomes);
            attempt(() -> ScopeWrites.own(store, 0).usage(), outcomes);
            clock.advance(Duration.ofMinutes(1));
            attempt(store::purgeExpired, outcomes);
            attempt(() -> store.deletePrefix(""), outcomes);
        } catch (StoreException e) {
            outcomes.merge("opening or closing: " + e.getClass().getSimpleName(), 1, Integer::sum);
        }
    }

    private static void attempt(Runnable use, Map<String, Integer> outcomes) {
        try {
            use.run();
            outcomes.merge("answered", 1, Integer::sum);
        } catch (StoreException e) {
            outcomes.merge(e.getClass().getSimpleName(), 1, Integer::sum);
        }
    }
}
