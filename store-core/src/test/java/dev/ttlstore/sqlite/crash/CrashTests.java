package dev.ttlstore.sqlite.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Durability;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.sqlite.ChildJvm;

import static dev.ttlstore.contract.Assertions.assertThat;

/**
 * Processes that write and are killed: what they were told is done stays done, and nothing is there by halves. Each build
 * has one kill, and a thorough one {@code -Dcrash.rounds} more, 10 unless set; {@code -Dcrash.seed} repeats the writes of a failure, though not the moment.
 */
class CrashTests {

    private static final int ROUNDS = Integer.getInteger("crash.rounds", 10);
    private static final long SEED = Long.getLong("crash.seed", new Random().nextLong());

    @TempDir
    Path folder;

    @Test
    @Promise({3, 6, 8, 9, 11, 19, 23})
    void whatSomeThreadsWereToldIsThereAfterOneKill() throws Exception {
        kill(new CrashRun(folder, SEED, 4, Durability.NORMAL), 1, 300);
    }

    @Test
    @Tag("crash")
    @Promise({3, 6, 8, 9, 11, 19, 23})
    void whatManyThreadsWereToldIsThereAfterAKill() throws Exception {
        kill(new CrashRun(folder, SEED, 8, Durability.NORMAL), ROUNDS / 2, 4_000);
    }

    @Test
    @Tag("crash")
    @Promise({3, 6, 8, 9, 11, 19, 23})
    void whatOneThreadWasToldIsThereAfterAKill() throws Exception {
        kill(new CrashRun(folder, SEED, 1, Durability.NORMAL), ROUNDS / 5, 3_000);
    }

    @Test
    @Tag("crash")
    @Promise({8, 9, 11, 23})
    void whatWasToldIsThereWhenEachCommitWaitsForTheDisk() throws Exception {
        kill(new CrashRun(folder, SEED, 4, Durability.FULL), ROUNDS / 10, 1_000);
    }

    @Test
    @Tag("crash")
    @Promise({11, 21, 23})
    void aStoreThatWasKilledWhileItWasOpenedOpensAgain() throws Exception {
        for (int i = 0; i < ROUNDS - ROUNDS / 2 - ROUNDS / 5 - ROUNDS / 10; i += 2) {
            Path fresh = Files.createDirectory(folder.resolve(Integer.toString(i)));
            CrashRun run = new CrashRun(fresh, SEED + i, 2, Durability.NORMAL);
            run.round(CrashTests::whileOpening); // which makes the file
            run.round(CrashTests::whileOpening); // which recovers it
        }
    }

    private static void kill(CrashRun run, int rounds, int most)
            throws IOException, InterruptedException, SQLException {
        for (int round = 0; round < rounds; round++) {
            run.round((process, acknowledged, random) ->
                    CrashRun.listen(process, acknowledged, 1 + random.nextInt(most)));
        }
        assertThat(run.steps()).isGreaterThanOrEqualTo(rounds);
    }

    private static void whileOpening(ChildJvm process, Acknowledged acknowledged, Random random) throws IOException {
        process.await(CrashingProgram.OPENING);
        LockSupport.parkNanos(random.nextLong(Duration.ofMillis(300).toNanos()));
    }
}
