package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.ttlstore.CompositeKey;
import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.KeyRange;
import dev.ttlstore.TextGroup;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** Operations on chosen entries: on a range, a prefix or some keys. */
@Promise({6, 12})
abstract class BulkContract extends ContractArea {

    private static final Duration HOUR = Duration.ofHours(1);

    /** Puts entries with keys a0 to a4, b0 to b4 and c0 to c4. */
    private void fillThreeParts() {
        for (String part : List.of("a", "b", "c")) {
            IntStream.range(0, 5).forEach(i -> group().put(part + i, part));
        }
    }

    private static List<String> keys(List<Entry<String>> entries) {
        return entries.stream().map(Entry::key).toList();
    }

    @Test
    void aRangeIsListedAndCounted() {
        fillThreeParts();
        assertThat(group().keys(KeyRange.prefix("b"))).containsExactly("b0", "b1", "b2", "b3", "b4");
        assertThat(group().keys(KeyRange.prefix("b").reversed().limit(2))).containsExactly("b4", "b3");
        assertThat(group().keys(KeyRange.between("a3", "b2"))).containsExactly("a3", "a4", "b0", "b1");
        assertThat(group().count(KeyRange.prefix("b"))).isEqualTo(5);
        assertThat(group().count(KeyRange.between("a3", "b2"))).isEqualTo(4);
        assertThat(group().count(KeyRange.from("c3"))).isEqualTo(2);
        assertThat(group().count(KeyRange.to("a2"))).isEqualTo(2);
        assertThat(group().count(KeyRange.all())).isEqualTo(15);
        assertThat(group().count(KeyRange.all().limit(7))).isEqualTo(7);
        assertThat(group().count(KeyRange.prefix("d"))).isZero();
        group().expireNow("b2");
        assertThat(group().count(KeyRange.prefix("b"))).isEqualTo(4);
        assertThat(group().keys(KeyRange.prefix("b"))).doesNotContain("b2");
    }

    @Test
    void aRangeIsReadPageByPageInBothDirections() {
        fillThreeParts();
        KeyRange range = KeyRange.prefix("b");
        assertThat(keys(group().page(range, null, 2))).containsExactly("b0", "b1");
        assertThat(keys(group().page(range, "b1", 2))).containsExactly("b2", "b3");
        assertThat(keys(group().page(range, "b3", 2))).containsExactly("b4");
        assertThat(keys(group().page(range, "b4", 2))).isEmpty();
        assertThat(keys(group().page(range, "z", 2))).isEmpty();
        assertThat(keys(group().page(range, "a", 2))).containsExactly("b0", "b1");
        KeyRange back = range.reversed();
        assertThat(keys(group().page(back, null, 2))).containsExactly("b4", "b3");
        assertThat(keys(group().page(back, "b3", 2))).containsExactly("b2", "b1");
        assertThat(keys(group().page(back, "b1", 2))).containsExactly("b0");
        assertThat(keys(group().page(back, "b0", 2))).isEmpty();
        assertThat(keys(group().page(back, "a", 2))).isEmpty();
        assertThat(keys(group().page(back, "z", 2))).containsExactly("b4", "b3");
        assertThat(keys(group().page(range.limit(3), null, 10))).hasSize(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> group().page(range, null, 0))
                .withMessageContaining("'limit'");
    }

    @Test
    void aPartitionIsDropped() {
        fill(group(), 600, i -> CompositeKey.of("sensor-7", String.valueOf(i)));
        group().put(CompositeKey.of("sensor-70", "0"), "value");
        group().put(CompositeKey.of("sensor-6", "0"), "value");
        Recorder recorder = record();
        KeyRange partition = CompositeKey.startingWith("sensor-7");
        assertThat(group().count(partition)).isEqualTo(600);
        assertThat(group().clear(partition)).isEqualTo(600);
        assertThat(group().clear(partition)).isZero();
        assertThat(group().count()).isEqualTo(2);
        assertThat(recorder.events(EntryDeleted.class)).hasSize(600);
        assertThat(recorder.events()).hasSize(600);
    }

    @Test
    void theLimitAndTheDirectionOfARangeCount() {
        fillThreeParts();
        assertThat(group().clear(KeyRange.all().reversed().limit(6))).isEqualTo(6);
        assertThat(group().keys()).last().isEqualTo("b3");
        assertThat(group().clear(KeyRange.all().limit(0))).isZero();
        assertThat(group().expireAll(KeyRange.all().limit(2), Expiry.now())).isEqualTo(2);
        assertThat(group().keys()).first().isEqualTo("a2");
        assertThat(group().count()).isEqualTo(7);
    }

    @Test
    @Promise(8)
    void chosenKeysAreDeletedInOneCommit() {
        fillThreeParts();
        group().expireNow("a0");
        Recorder recorder = record();
        assertThat(group().deleteAll(List.of("a0", "a1", "b1", "missing", "b1")))
                .isEqualTo(2);
        assertThat(group().count()).isEqualTo(12);
        assertThat(recorder.events(EntryDeleted.class))
                .extracting(EntryDeleted::key)
                .containsExactly("a1", "b1");
        assertThat(recorder.events(EntryExpired.class))
                .extracting(EntryExpired::key)
                .containsExactly("a0");
        assertThat(group().deleteAll(List.of())).isZero();
        assertThatIllegalArgumentException().isThrownBy(() -> group().deleteAll(List.of("a2", "")));
        assertThat(group().contains("a2")).isTrue();
        assertThatNullPointerException()
                .isThrownBy(() -> group().deleteAll(nothing()))
                .withMessageContaining("'keys'");
    }

    @Test
    @Promise(7)
    void chosenEntriesGetAnotherExpiry() {
        fillThreeParts();
        advanceMillis(10);
        assertThat(group().expireAll(KeyRange.prefix("a"), Expiry.afterCreation(HOUR)))
                .isEqualTo(5);
        assertThat(group().expireAll(List.of("b0", "b0", "missing"), Expiry.after(HOUR)))
                .isEqualTo(1);
        assertThat(group().expireAll(KeyRange.all(), Expiry.later(HOUR))).isEqualTo(15);
        Map<String, Instant> expiries = new java.util.TreeMap<>();
        group().entries()
                .filter(entry -> entry.expiresAt() != null)
                .forEach(entry -> expiries.put(entry.key(), java.util.Objects.requireNonNull(entry.expiresAt())));
        Instant ofThePrefix = MovableClock.START.plus(HOUR.multipliedBy(2));
        assertThat(expiries)
                .containsOnly(
                        Map.entry("a0", ofThePrefix),
                        Map.entry("a1", ofThePrefix),
                        Map.entry("a2", ofThePrefix),
                        Map.entry("a3", ofThePrefix),
                        Map.entry("a4", ofThePrefix),
                        Map.entry("b0", ofThePrefix.plusMillis(10)));
    }

    @Test
    @Promise({7, 13})
    void aChangedTtlIsAppliedToWhatIsThereAsIfItHadAlwaysBeenSo() {
        group().put("old", "value", Duration.ofDays(1));
        advanceMillis(1_000);
        group().put("new", "value", Duration.ofDays(1));
        Recorder recorder = record();
        assertThat(group().expireAll(Expiry.afterUpdate(Duration.ofSeconds(1)))).isEqualTo(2);
        assertThat(group().keys()).containsExactly("new");
        store().purgeExpired();
        assertThat(recorder.events(EntryExpired.class))
                .singleElement()
                .extracting(EntryExpired::key, EntryExpired::expiresAt)
                .containsExactly("old", MovableClock.START.plusMillis(1_000));
    }

    @Test
    @Promise({7, 18})
    void theEntriesOfSeveralGroupsGetAnotherExpiry() {
        store().scope("acme").group("drafts").put("key", "value");
        store().scope("acme").group("drafts-old").put("key", "value");
        store().scope("acme").group("other").put("key", "value");
        store().scope("acme-2").group("drafts").put("key", "value");
        assertThat(store().scope("acme").expirePrefix("drafts", Expiry.now())).isEqualTo(2);
        assertThat(store().groups()).containsExactly("acme-2:drafts", "acme:other");
        assertThat(store().<Long>transact(tx -> tx.expirePrefix("", Expiry.after(HOUR))))
                .isEqualTo(2);
        assertThat(store().expirePrefix("missing", Expiry.now())).isZero();
        assertThat(store().expiring(Instant.MIN, Instant.MAX)).hasSize(2);
        assertThatNullPointerException()
                .isThrownBy(() -> store().expirePrefix("", nothing()))
                .withMessageContaining("'expiry'");
    }

    @Test
    @Promise(8)
    void withinATransactionAllOfItIsOneCommit() {
        fillThreeParts();
        Recorder recorder = record();
        List<Long> counts = store().transact(tx -> {
            TextGroup inside = tx.group("group");
            inside.put("b5", "value");
            List<Long> before = new ArrayList<>();
            before.add(inside.count(KeyRange.prefix("b")));
            before.add(inside.deleteAll(List.of("b0", "b5")));
            before.add(inside.count(KeyRange.prefix("b")));
            before.add(inside.clear(KeyRange.prefix("a")));
            before.add(inside.expireAll(KeyRange.prefix("c"), Expiry.now()));
            before.add(inside.expireAll(List.of("b1"), Expiry.after(HOUR)));
            before.add((long) inside.page(KeyRange.prefix("b"), "b1", 10).size());
            assertThat(group(tx).keys(KeyRange.all().reversed())).containsExactly("b4", "b3", "b2", "b1");
            assertThat(recorder.events()).isEmpty();
            return before;
        });
        assertThat(counts).containsExactly(6L, 2L, 4L, 5L, 5L, 1L, 3L);
        assertThat(group().keys()).containsExactly("b1", "b2", "b3", "b4");
    }

    private static TextGroup group(dev.ttlstore.Transaction tx) {
        return tx.group("group");
    }

    @Test
    void theAsynchronousFormsDoTheSame() {
        fillThreeParts();
        assertThat(Threads.get(group().async().deleteAll(List.of("a0", "missing"))))
                .isEqualTo(1);
        assertThat(Threads.get(group().async().clear(KeyRange.prefix("a")))).isEqualTo(4);
        assertThat(Threads.get(group().async().expireAll(List.of("b0"), Expiry.now())))
                .isEqualTo(1);
        assertThat(Threads.get(group().async().expireAll(KeyRange.prefix("b"), Expiry.after(HOUR))))
                .isEqualTo(4);
        assertThat(Threads.get(group().async().sweep(Duration.ZERO))).isEqualTo(9);
        assertThat(group().count()).isZero();
        assertThatNullPointerException()
                .isThrownBy(() -> Threads.get(group().async().clear(nothing())));
        Threads.get(group().async().putAll(Map.of("key", "value"), Expiry.after(HOUR)));
        assertThat(group().entry("key").orElseThrow().ttl()).isEqualTo(HOUR);
    }
}
