package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Entry;
import dev.ttlstore.ExpiringEntry;
import dev.ttlstore.RetainedEntry;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.tuple;

/** What is going to expire, from the expiry index. */
@Promise(7)
abstract class ExpiringContract extends ContractArea {

    private static Instant at(long millis) {
        return MovableClock.START.plusMillis(millis);
    }

    private List<String> keys(Instant from, Instant to) {
        return store().expiring(from, to).map(ExpiringEntry::key).toList();
    }

    @Test
    void anExpiringEntryTellsWhatItIs() {
        group().put("key", "value", Duration.ofMillis(10));
        Entry<String> entry = group().entry("key").orElseThrow();
        assertThat(store().expiring(at(0), at(11)))
                .containsExactly(new ExpiringEntry("group", "key", entry.version(), at(10)));
    }

    @Test
    void theFirstBoundIsInAndTheLastIsNot() {
        for (int i = 10; i <= 14; i++) {
            group().put("key" + i, "value", Duration.ofMillis(i));
        }
        assertThat(keys(at(11), at(13))).containsExactly("key11", "key12");
        assertThat(keys(at(12), at(12))).isEmpty();
        assertThat(keys(at(13), at(11))).isEmpty();
        assertThat(keys(at(14), at(15))).containsExactly("key14");
    }

    @Test
    void aFractionOfAMillisecondInABoundIsRoundedUp() {
        group().put("key", "value", Duration.ofMillis(10));
        assertThat(keys(at(10).plusNanos(1), at(20))).isEmpty();
        assertThat(keys(at(9).plusNanos(1), at(10).plusNanos(1))).containsExactly("key");
    }

    @Test
    void theWholeOfTimeMayBeAskedFor() {
        group().put("key", "value", Duration.ofMillis(10));
        group().put("permanent", "value");
        assertThat(keys(Instant.MIN, Instant.MAX)).containsExactly("key");
        assertThat(keys(Instant.MAX, Instant.MAX)).isEmpty();
    }

    @Test
    @Promise({1, 7})
    void neitherExpiredNorPermanentEntriesAreTold() {
        group().put("permanent", "value");
        group().put("expired", "value", Duration.ofMillis(10));
        group().put("live", "value", Duration.ofMillis(11));
        advanceMillis(10);
        assertThat(keys(at(0), at(100))).containsExactly("live");
    }

    @Test
    void whatWasRenewedOrMadePermanentOrDeletedIsToldAsItIsNow() {
        group().put("renewed", "value", Duration.ofMillis(10));
        group().put("permanent", "value", Duration.ofMillis(10));
        group().put("overwritten", "value", Duration.ofMillis(10));
        group().put("deleted", "value", Duration.ofMillis(10));
        group().expire("renewed", Duration.ofMillis(20));
        group().persist("permanent");
        group().put("overwritten", "value");
        group().delete("deleted");
        assertThat(store().expiring(at(0), at(100)))
                .extracting(ExpiringEntry::key, ExpiringEntry::expiresAt)
                .containsExactly(tuple("renewed", at(20)));
    }

    @Test
    void theNextExpiryComesFirstAndThenGroupAndKey() {
        store().group("b").put("1", "value", Duration.ofMillis(20));
        store().group("a").put("2", "value", Duration.ofMillis(20));
        store().group("a").put("1", "value", Duration.ofMillis(20));
        store().group("é").put("1", "value", Duration.ofMillis(20));
        store().group("z").put("9", "value", Duration.ofMillis(19));
        assertThat(store().expiring(at(0), at(100)).map(entry -> entry.group() + entry.key()))
                .containsExactly("z9", "a1", "a2", "b1", "é1");
    }

    @Test
    void moreThanAPageIsToldThoughManyExpireAtOnce() {
        List<String> expected = new ArrayList<>();
        for (int g = 0; g < 3; g++) {
            for (int i = 0; i < 256; i++) {
                String key = "%03d".formatted(i);
                store().group("group" + g).put(key, "value", Duration.ofMillis(50));
                expected.add("group" + g + key);
            }
        }
        IntStream.range(0, 100).forEach(i -> group().put("late" + i, "value", Duration.ofMillis(1_000 - i)));
        IntStream.range(0, 100).map(i -> 99 - i).forEach(i -> expected.add("grouplate" + i));
        assertThat(store().expiring(at(0), at(2_000)).map(entry -> entry.group() + entry.key()))
                .containsExactlyElementsOf(expected);
    }

    @Test
    void theStreamMayBeLeftHalfReadAndTheStoreBeWrittenMeanwhile() {
        store().transact(tx -> {
            IntStream.range(0, 600).forEach(i -> tx.group("group").put("key" + i, "value", Duration.ofMillis(10 + i)));
            return true;
        });
        assertThat(store().expiring(at(0), at(2_000)).limit(1)).hasSize(1);
        Iterator<ExpiringEntry> entries = store().expiring(at(0), at(2_000)).iterator();
        int told = 0;
        while (entries.hasNext()) {
            assertThat(group().delete(entries.next().key())).isTrue();
            told++;
        }
        assertThat(told).isEqualTo(600);
        assertThat(group().count()).isZero();
    }

    @Test
    void expiryByCommandIsNowAndNotBackdated() {
        group().put("permanent", "value");
        group().put("expiring", "value", Duration.ofHours(1));
        advanceMillis(5);
        assertThat(group().expireAllNow()).isEqualTo(2);
        assertThat(group().count()).isZero();
        assertThat(store().expiring(at(0), Instant.MAX)).isEmpty();
        assertThat(store().expired(at(0), at(100)).map(RetainedEntry::expiresAt))
                .containsExactly(at(5), at(5));
    }

    @Test
    void aBoundMustBeGiven() {
        assertThatNullPointerException().isThrownBy(() -> store().expiring(nothing(), at(1)));
        assertThatNullPointerException().isThrownBy(() -> store().expiring(at(1), nothing()));
        assertThatNullPointerException().isThrownBy(() -> store().expired(nothing(), at(1)));
        assertThatNullPointerException().isThrownBy(() -> store().expired(at(1), nothing()));
    }

    @Test
    void anExpiringEntryPrintsNoKey() {
        group().put("secret", "value", Duration.ofMillis(10));
        assertThat(store().expiring(at(0), at(100)).toList().toString()).doesNotContain("secret");
    }

    @Test
    @Promise(1)
    void anEntryThatExpiresWhileTheStreamIsHeldIsNotToldAnyMore() {
        group().put("key", "value", Duration.ofMillis(10));
        Stream<ExpiringEntry> expiring = store().expiring(Instant.EPOCH, Instant.MAX);
        advanceMillis(10);
        assertThat(expiring).isEmpty();
    }
}
