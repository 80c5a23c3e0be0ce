package dev.ttlstore.sqlite.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.ttlstore.Store;
import dev.ttlstore.sqlite.ChildJvm;
import dev.ttlstore.sqlite.Sql;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Processes in which entries expire and which are killed, one after the other on one file, and what must have been told. */
final class ExpiryCrashRun {

    /** Where the files of a failure are kept. */
    private static final Path EVIDENCE = Path.of("target", "crash");

    /** More than a process puts before it is killed. */
    private static final long NUMBERS = 100_000_000;

    /** At most so many lines of one kind are heard before a kill: enough for the handlers to have got going. */
    private static final int MOST = 600;

    private static final List<String> WORDS =
            List.of(ExpiringProgram.BEGIN, ExpiringProgram.DONE, TellingHandler.CALL, TellingHandler.RETURN);

    private final Path file;
    private final long seed;
    private final Random random;
    private final ExpiryLedger ledger = new ExpiryLedger();
    private int round;

    ExpiryCrashRun(Path file, long seed) {
        this.file = file;
        this.seed = seed;
        this.random = new Random(seed);
    }

    /** Has a process go on with the file, and kills it when it has said some word so often. */
    void round() throws IOException, InterruptedException {
        String word = WORDS.get(random.nextInt(WORDS.size()));
        int count = 1 + random.nextInt(MOST);
        try (ChildJvm process = ChildJvm.start(
                ExpiringProgram.class, file, Long.toString(random.nextLong()), Long.toString(round * NUMBERS))) {
            hear(process, word, count);
            process.kill();
            hearTheRest(process); // what it said before it died counts
            ledger.killed();
        } catch (AssertionError e) {
            throw failure(e);
        }
        round++;
    }

    private void hear(ChildJvm process, String word, int count) throws IOException {
        int heard = 0;
        while (heard < count) {
            String line = process.nextLine();
            if (line == null) {
                throw new AssertionError("The process has ended by itself");
            }
            heard += ledger.note(line).equals(word) ? 1 : 0;
        }
    }

    private void hearTheRest(ChildJvm process) throws IOException {
        for (String line = process.nextLine(); line != null; line = process.nextLine()) {
            ledger.note(line);
        }
    }

    /** Has all that is left expire and be handled, with no more kills, and requires that nothing was missed. */
    void check() throws IOException, SQLException {
        try (Store store = ExpiringProgram.open(file)) {
            Queue<String> said =
                    new ConcurrentLinkedQueue<>(); // looked at later: what a handler throws would be tried again
            ExpiringProgram.subscribe(store, said::add);
            long end = System.currentTimeMillis() + ExpiryHand.LONGEST.toMillis();
            await().until(() -> System.currentTimeMillis() > end);
            store.purgeExpired();
            ExpiryCrashTests.awaitNothingPending(store);
            assertThat(store.expirySubscribers()).hasSize(2).allSatisfy(subscriber -> assertThat(
                            subscriber.deadLetters())
                    .isZero());
            said.forEach(line -> ledger.note(line + CrashingProgram.END));
            ledger.check(end);
        } catch (AssertionError e) {
            throw failure(e);
        }
        assertThat(Sql.query(file, "SELECT count(*) FROM delivery")).containsExactly("0");
        assertThat(Sql.query(file, "PRAGMA integrity_check")).containsExactly("ok");
    }

    private AssertionError failure(AssertionError e) throws IOException {
        Path kept = Files.createDirectories(EVIDENCE.resolve(seed + "-expiry"));
        StoreFiles.copy(file, kept.resolve("store.db"));
        return new AssertionError(
                "After kill " + round + " of the run with -Dcrash.seed=" + seed + "; its files are in "
                        + kept.toAbsolutePath() + ". " + e.getMessage(),
                e);
    }
}
