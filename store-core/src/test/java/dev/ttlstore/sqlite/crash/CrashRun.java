package dev.ttlstore.sqlite.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Durability;
import dev.ttlstore.Store;
import dev.ttlstore.sqlite.ChildJvm;
import dev.ttlstore.sqlite.Sql;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Processes that write to one file and are killed, one after the other, and what must be found after each. */
final class CrashRun {

    /** Where the files of a failure are kept. */
    private static final Path EVIDENCE = Path.of("target", "crash");

    private final Path folder;
    private final Path file;
    private final long seed;
    private final int threads;
    private final Durability durability;
    private final Random random;
    private Contents before;
    private long lastVersion;
    private int round;
    private int steps;

    /** When to kill a process: this waits for it, listening to what it says. */
    @FunctionalInterface
    interface Moment {
        void await(ChildJvm process, Acknowledged acknowledged, Random random) throws IOException;
    }

    CrashRun(Path folder, long seed, int threads, Durability durability) {
        this.folder = folder;
        this.file = folder.resolve("store.db");
        this.seed = seed;
        this.threads = threads;
        this.durability = durability;
        this.random = new Random(seed);
        this.before = nothing();
    }

    private static Contents nothing() {
        try (Store store = Store.inMemory()) {
            return Contents.of(store);
        }
    }

    int steps() {
        return steps;
    }

    /** Has a process write, kills it, and checks what it leaves. */
    void round(Moment moment) throws IOException, InterruptedException, SQLException {
        round++;
        long planSeed = random.nextLong();
        Acknowledged acknowledged = new Acknowledged();
        try (ChildJvm process = ChildJvm.start(
                CrashingProgram.class,
                file,
                Long.toString(planSeed),
                Integer.toString(threads),
                durability.name(),
                Long.toString(lastVersion))) {
            moment.await(process, acknowledged, random);
            process.kill();
            listen(process, acknowledged, Integer.MAX_VALUE); // what it said before it died counts
        }
        Instant killed = Instant.now();
        await().pollDelay(Duration.ZERO).until(() -> Instant.now().isAfter(killed.plus(BriefWrites.LONGEST)));
        StoreFiles.copy(file, folder.resolve("saved.db"));
        Path copy = StoreFiles.copy(file, folder.resolve("copy.db"));
        try {
            // Every other time the next process finds the file as this one has left it.
            check(random.nextBoolean() ? file : copy, planSeed, acknowledged);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "After kill " + round + " of the run with -Dcrash.seed=" + seed + " (" + threads + " threads, "
                            + durability + "); its files are in " + keep().toAbsolutePath() + ". " + e.getMessage(),
                    e);
        }
    }

    /** Takes note of acknowledgements, until there are so many, or the process has ended. */
    static void listen(ChildJvm process, Acknowledged acknowledged, int count) throws IOException {
        while (acknowledged.count() < count) {
            @Nullable String line = process.nextLine();
            if (line == null) {
                return;
            }
            acknowledged.note(line);
        }
    }

    private void check(Path path, long planSeed, Acknowledged acknowledged) throws SQLException {
        long rows;
        lastVersion = Math.max(lastVersion, acknowledged.lastSequence());
        try (Store store = Store.builder()
                .path(path)
                .durability(durability)
                .purgeInterval(Duration.ZERO)
                .open()) {
            Contents found = Contents.of(store);
            for (int thread = 0; thread < threads; thread++) {
                Plan plan = new Plan(planSeed, thread, before.of(thread));
                steps += Replay.check(thread, plan, acknowledged, found.of(thread));
            }
            lastVersion = Math.max(lastVersion, found.lastVersion());
            long used = new Whole(store, found, threads).check(lastVersion);
            lastVersion = path.equals(file) ? used : lastVersion;
            before = found;
            rows = store.count();
        }
        assertThat(Sql.query(path, "SELECT count(*) FROM entry")).containsExactly(Long.toString(rows));
        assertThat(Sql.query(path, "PRAGMA integrity_check")).containsExactly("ok");
    }

    private Path keep() throws IOException {
        Path kept = Files.createDirectories(EVIDENCE.resolve(seed + "-" + round));
        return StoreFiles.copy(folder.resolve("saved.db"), kept.resolve("store.db"));
    }
}
