package dev.ttlstore.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.GroupSettings;
import dev.ttlstore.KeyRange;
import dev.ttlstore.TextGroup;
import dev.ttlstore.Transaction;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Writes to many entries, with other writes between the reading of a page and its commit. */
@Promise({6, 8})
abstract class BulkRaceContract extends ContractArea {

    private static final Duration TEN = Duration.ofMillis(10);
    private static final Duration HOUR = Duration.ofHours(1);

    @BeforeEach
    void configure() {
        open(settings()
                .group("indexed", GroupSettings.defaults().withAgeIndex(true))
                .group("limited", GroupSettings.defaults().withMaxAge(HOUR)));
    }

    /** Runs work in another thread, and commits a transaction between each of its reads and the commit that follows. */
    private <T> T beside(Transaction.Action<RuntimeException> change, Callable<T> work) {
        AtomicReference<Thread> working = new AtomicReference<>();
        AtomicBoolean begun = new AtomicBoolean();
        Future<T> answer = Threads.start(thread -> {
            working.set(Thread.currentThread());
            while (!begun.get()) {
                Thread.onSpinWait(); // not parked, which the transaction waits for
            }
            return work.call();
        });
        await().until(() -> working.get() != null);
        do {
            store().transactWithoutResult(tx -> {
                change.run(tx);
                begun.set(true);
                await().pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> answer.isDone() || Threads.isWaiting(Objects.requireNonNull(working.get())));
            });
        } while (!answer.isDone());
        return Threads.get(answer);
    }

    /** Runs work on 600 entries, with entries appended before each commit, and returns the latter. */
    private List<String> whileOthersAppend(String prefix, Callable<Long> work) {
        group().clear();
        fill(600);
        List<String> appended = new ArrayList<>();
        long changed = beside(
                tx -> IntStream.range(0, 10).forEach(i -> {
                    String key = prefix + appended.size();
                    tx.group("group").put(key, "appended");
                    appended.add(key);
                }),
                work);
        assertThat(changed).isEqualTo(600);
        return appended;
    }

    @Test
    void clearingARangeDoesNotFollowWhatIsAppendedMeanwhile() {
        List<String> above = whileOthersAppend("z", () -> group().clear(KeyRange.all()));
        assertThat(group().keys()).containsExactlyInAnyOrderElementsOf(above);
        above = whileOthersAppend("z", () -> group().clear(KeyRange.all().limit(1000)));
        assertThat(group().keys()).containsExactlyInAnyOrderElementsOf(above);
        List<String> below =
                whileOthersAppend("a", () -> group().clear(KeyRange.all().reversed()));
        assertThat(group().keys()).containsExactlyInAnyOrderElementsOf(below);
        assertThat(beside(tx -> tx.group("group").put("only", "appended"), () -> group().clear(KeyRange.prefix("o"))))
                .isZero();
    }

    @Test
    @Promise(3)
    void aSweepDoesNotFollowWhatIsAppendedMeanwhile() {
        List<String> above = whileOthersAppend("z", () -> group().sweep(Duration.ZERO));
        assertThat(group().keys()).containsExactlyInAnyOrderElementsOf(above);
    }

    @Test
    @Promise(7)
    void anExpiryIsNotSetForWhatIsAppendedMeanwhile() {
        Expiry later = Expiry.after(HOUR);
        List<String> above = whileOthersAppend("z", () -> group().expireAll(later));
        assertThat(keysThatStay()).containsExactlyInAnyOrderElementsOf(above);
        List<String> below =
                whileOthersAppend("a", () -> group().expireAll(KeyRange.all().reversed(), later));
        assertThat(keysThatStay()).containsExactlyInAnyOrderElementsOf(below);
        above = whileOthersAppend("z", () -> store().expirePrefix("gro", later));
        assertThat(keysThatStay()).containsExactlyInAnyOrderElementsOf(above);
    }

    private List<String> keysThatStay() {
        return group().entries()
                .filter(entry -> entry.expiresAt() == null)
                .map(Entry::key)
                .toList();
    }

    @Test
    void clearingARangeDeletesWhatIsUpdatedMeanwhile() {
        fill(600);
        group().put("other", "value");
        long cleared = beside(
                tx -> {
                    tx.group("group").putIfPresent("key0", "updated");
                    tx.group("group").putIfPresent("key599", "updated");
                },
                () -> group().clear(KeyRange.prefix("key")));
        assertThat(cleared).isEqualTo(600);
        assertThat(group().keys()).containsExactly("other");
    }

    @Test
    @Promise(7)
    void anExpiryIsSetForWhatIsUpdatedMeanwhile() {
        fill(600);
        long changed = beside(
                tx -> {
                    tx.group("group").update("key0", value -> value + "+");
                    tx.group("group").update("key599", value -> value + "+");
                },
                () -> group().expireAll(KeyRange.prefix("key"), Expiry.after(HOUR)));
        assertThat(changed).isEqualTo(600);
        assertThat(group().entries().map(Entry::expiresAt)).containsOnly(MovableClock.START.plus(HOUR));
        assertThat(group().get("key599").orElseThrow()).startsWith("value+");
        changed = beside(tx -> tx.group("group").update("key7", value -> value + "+"), () -> store().expirePrefix(
                        "gro", Expiry.never()));
        assertThat(changed).isEqualTo(600);
        assertThat(group().entries().map(Entry::expiresAt)).containsOnlyNulls();
    }

    @Test
    @Promise(7)
    void aConditionLooksAtTheExpiryThatAnEntryHasByThen() {
        fill(2);
        beside(tx -> tx.group("group").expire("key1", HOUR.multipliedBy(2)), () -> group().expireAll(
                        Expiry.after(HOUR).ifLater()));
        assertThat(group().entries().map(Entry::expiresAt))
                .containsExactly(null, MovableClock.START.plus(HOUR.multipliedBy(2)));
    }

    @Test
    @Promise(3)
    void aSweepDeletesWhatIsOverwrittenMeanwhileAndLeavesWhatIsCreatedAgain() {
        for (String name : List.of("group", "indexed")) {
            TextGroup group = store().group(name);
            group.put("overwritten", "value");
            group.put("created again", "value");
            advanceMillis(10);
            long swept = beside(
                    tx -> {
                        tx.group(name).putIfPresent("overwritten", "other");
                        tx.group(name).delete("created again");
                        tx.group(name).put("created again", "other");
                    },
                    () -> group.sweep(TEN));
            assertThat(swept).as(name).isEqualTo(1);
            assertThat(group.getAll()).containsOnly(Map.entry("created again", "other"));
        }
    }

    @Test
    @Promise(3)
    void aPurgeDeletesWhatHasReachedItsMaximumAgeHoweverOftenItIsOverwritten() {
        TextGroup limited = store().group("limited");
        limited.put("overwritten", "value");
        limited.put("created again", "value");
        clock.advance(HOUR);
        beside(
                tx -> {
                    tx.group("limited").putIfPresent("overwritten", "other");
                    tx.group("limited").delete("created again");
                    tx.group("limited").put("created again", "other");
                },
                () -> store().purgeExpired());
        assertThat(limited.keys()).containsExactly("created again");
    }
}
