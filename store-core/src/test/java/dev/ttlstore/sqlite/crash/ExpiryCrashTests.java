package dev.ttlstore.sqlite.crash;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.Store;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.expiry.ExpirySettings;
import dev.ttlstore.sqlite.ChildJvm;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Processes that are killed between an expiry and the end of its handling: each expiry is handled at least once, and again
 * only where a kill fell between the handler's return and the note of it. There are {@code -Dcrash.rounds} kills, 5 unless
 * set; {@code -Dcrash.seed} repeats what a failure did, though not the moments.
 */
@Tag("crash")
@Promise(17)
class ExpiryCrashTests {

    private static final int ROUNDS = Integer.getInteger("crash.rounds", 5);
    private static final long SEED = Long.getLong("crash.seed", new Random().nextLong());

    private static final int BACKLOG = 20_000;

    @TempDir
    Path folder;

    @Test
    void eachExpiryIsHandledAtLeastOnceAndAgainOnlyAfterAKill() throws Exception {
        ExpiryCrashRun run = new ExpiryCrashRun(folder.resolve("store.db"), SEED);
        for (int i = 0; i < ROUNDS; i++) {
            run.round();
        }
        run.check();
    }

    @ParameterizedTest
    @EnumSource
    void whatAProcessHasNotAcknowledgedIsHandledByTheNext(HaltingStep step) throws Exception {
        Path file = folder.resolve("store.db");
        assertThat(callsUntilHalt(file, step)).isEqualTo(step.callsBefore());
        try (Store store = HaltingProgram.open(file)) {
            assertThat(store.stats().expired()).isEqualTo(step.isEntryLeft() ? 1 : 0);
            List<String> handled = new CopyOnWriteArrayList<>();
            Subscription unused = store.onExpired(
                    HaltingProgram.SUBSCRIBER, HaltingProgram.GROUP, entry -> handled.add(entry.value()));
            store.purgeExpired();
            awaitNothingPending(store);
            assertThat(handled).hasSize(step.callsAfter()).allSatisfy(value -> assertThat(value)
                    .isEqualTo(HaltingProgram.VALUE));
            assertThat(store.deadLetters(HaltingProgram.SUBSCRIBER).count()).isZero();
        }
    }

    private static long callsUntilHalt(Path file, HaltingStep step) throws IOException {
        List<String> said = new ArrayList<>();
        try (ChildJvm process = ChildJvm.start(HaltingProgram.class, file, step.name())) {
            for (String line = process.nextLine(); line != null; line = process.nextLine()) {
                said.add(line);
            }
        }
        assertThat(said).allMatch(line -> line.equals(HaltingProgram.CALLED + CrashingProgram.END));
        return said.size();
    }

    @Test
    void aBacklogIsHandledInTheOrderOfExpiryAndOnce() {
        MovableClock clock = new MovableClock();
        try (Store store = openOneByOne(clock)) {
            store.onExpired("mail", "group", entry -> {}).close();
            for (int i = 0; i < BACKLOG; i += 1_000) {
                putFrom(store, i);
            }
            clock.advance(Duration.ofDays(1));
            assertThat(store.purgeExpired()).isEqualTo(BACKLOG);
        }
        List<Integer> handled = new ArrayList<>(BACKLOG); // by one thread at a time
        try (Store store = openOneByOne(clock)) {
            assertThat(store.expirySubscribers())
                    .singleElement()
                    .satisfies(subscriber -> assertThat(subscriber.pending()).isEqualTo(BACKLOG));
            Subscription unused =
                    store.onExpired("mail", "group", entry -> handled.add(Integer.parseInt(entry.value())));
            awaitNothingPending(store);
        }
        assertThat(handled).isEqualTo(IntStream.range(0, BACKLOG).boxed().toList());
    }

    /** Puts entries whose values tell the order in which they expire, which is not the order in which they are put. */
    private static void putFrom(Store store, int first) {
        store.transact(tx -> {
            for (int i = first; i < first + 1_000; i++) {
                int place = (int) (i * 61L % BACKLOG);
                tx.group("group").put("key" + i, Integer.toString(place), MovableClock.START.plusMillis(place + 1));
            }
            return true;
        });
    }

    private Store openOneByOne(MovableClock clock) {
        return Store.builder()
                .path(folder.resolve("store.db"))
                .clock(clock)
                .purgeInterval(Duration.ZERO)
                .expiryOnTime(false)
                .expiry(ExpirySettings.defaults().withConcurrency(1))
                .open();
    }

    static void awaitNothingPending(Store store) {
        await().atMost(Duration.ofMinutes(2))
                .until(() -> store.expirySubscribers().stream().allMatch(subscriber -> subscriber.pending() == 0));
    }
}
