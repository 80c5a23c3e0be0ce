package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.Expiry;
import dev.ttlstore.GroupSettings;
import dev.ttlstore.RetainedEntry;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.exception.CodecException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Expired entries that are kept for an audit, and seen by nothing else. */
@Promise({1, 13})
abstract class RetentionContract extends ContractArea {

    private static final Duration TTL = Duration.ofMillis(10);
    private static final Duration RETENTION = Duration.ofMillis(100);

    @BeforeEach
    void retain() {
        open(settings().retention(RETENTION));
    }

    private static Instant at(long millis) {
        return MovableClock.START.plusMillis(millis);
    }

    private List<String> expired() {
        return store().expired(Instant.MIN, Instant.MAX)
                .map(entry -> entry.value(Codec.text()))
                .toList();
    }

    @Test
    void aRetainedEntryTellsAllThatItWas() {
        group().put("key", "first");
        advanceMillis(1);
        group().put("key", "second", TTL);
        long version = group().entry("key").orElseThrow().version();
        advanceMillis(10);
        store().purgeExpired();
        assertThat(store().expired(at(0), at(100))).singleElement().satisfies(entry -> {
            assertThat(entry.group()).isEqualTo("group");
            assertThat(entry.key()).isEqualTo("key");
            assertThat(entry.value(Codec.text())).isEqualTo("second");
            assertThat(entry.version()).isEqualTo(version);
            assertThat(entry.createdAt()).isEqualTo(at(0));
            assertThat(entry.updatedAt()).isEqualTo(at(1));
            assertThat(entry.expiresAt()).isEqualTo(at(11));
            assertThat(entry.toString()).doesNotContain("key", "second");
        });
    }

    @Test
    void aRetainedValueThatItsCodecCannotReadFailsAlone() {
        group().put("key", "no number", TTL);
        advanceMillis(10);
        RetainedEntry entry = store().expired(at(0), at(100)).findFirst().orElseThrow();
        assertThatExceptionOfType(CodecException.class).isThrownBy(() -> entry.value(Codec.longs()));
        assertThat(entry.value(Codec.bytes())).hasSize(9);
    }

    @Test
    void whatHasExpiredIsListedBeforeAndAfterItsPurge() {
        group().put("key", "value", TTL);
        group().put("live", "value", Duration.ofMillis(11));
        group().put("permanent", "value");
        assertThat(expired()).isEmpty();
        advanceMillis(10);
        assertThat(expired()).containsExactly("value");
        assertThat(store().stats().retained()).isZero();
        assertThat(store().purgeExpired()).isEqualTo(1);
        assertThat(expired()).containsExactly("value");
        assertThat(store().stats().retained()).isEqualTo(1);
        assertThat(store().stats().expired()).isZero();
        assertThat(store().stats().entries()).isEqualTo(2);
    }

    @Test
    void aRetainedEntryIsSeenByNoOperation() {
        for (Sight sight : Sight.values()) {
            open(settings().retention(RETENTION));
            store().deletePrefix("");
            group().put("key", "value", TTL);
            clock.advance(TTL);
            store().purgeExpired();
            assertThat(sight.sees(store(), group()))
                    .as(sight.name())
                    .isEqualTo(sight == Sight.NOT_PURGED); // which sees that there is nothing more to purge
        }
    }

    @Test
    void whatWasOverwrittenAfterItsExpiryIsKept() {
        group().put("key", "first", TTL);
        advanceMillis(10);
        group().put("key", "second", TTL);
        assertThat(expired()).containsExactly("first");
        assertThat(group().get("key")).contains("second");
        advanceMillis(10);
        assertThat(expired()).containsExactly("first", "second");
        group().delete("key");
        store().purgeExpired();
        assertThat(expired()).containsExactly("first", "second");
    }

    @Test
    void whatWasDeletedOrOverwrittenWhileItLivedIsNotKept() {
        group().put("overwritten", "first", TTL);
        group().put("overwritten", "second");
        group().put("deleted", "value", TTL);
        group().delete("deleted");
        store().group("cleared").put("key", "value", TTL);
        store().deleteGroup("cleared");
        advanceMillis(10);
        store().purgeExpired();
        assertThat(expired()).isEmpty();
    }

    @Test
    void deletingAGroupKeepsWhatHadExpiredInIt() {
        group().put("expired", "value", TTL);
        group().put("live", "other");
        advanceMillis(10);
        assertThat(store().deletePrefix("gr")).isEqualTo(1);
        assertThat(expired()).containsExactly("value");
    }

    @Test
    void everyGenerationOfAKeyIsKeptThoughManyExpireAtOnce() {
        int many = 300; // more than a page
        for (int i = 0; i < many; i++) {
            group().put("key", "%03d".formatted(i));
            group().expireAllNow();
        }
        List<String> all = IntStream.range(0, many).mapToObj("%03d"::formatted).toList();
        assertThat(expired()).containsExactlyElementsOf(all);
        store().purgeExpired();
        assertThat(expired()).containsExactlyElementsOf(all);
    }

    @Test
    void theLastGenerationIsListedThoughThePageBeforeEndsWithTheOneBeforeIt() {
        for (int i = 0; i <= 256; i++) { // 256 that were overwritten, and one that still stands
            group().put("key", "%03d".formatted(i));
            group().expireAllNow();
        }
        assertThat(expired()).hasSize(257).endsWith("256");
    }

    @Test
    void theFirstExpiryComesFirstWhetherOrNotItWasPurged() {
        group().put("b", "2", Duration.ofMillis(10));
        group().put("a", "1", Duration.ofMillis(10));
        store().group("another").put("z", "0", Duration.ofMillis(10));
        group().put("c", "4", Duration.ofMillis(30));
        advanceMillis(10);
        store().purgeExpired();
        group().put("d", "3", Duration.ofMillis(10));
        advanceMillis(30);
        assertThat(expired()).containsExactly("0", "1", "2", "3", "4");
    }

    @Test
    void theFirstBoundIsInAndTheLastIsNot() {
        for (int i = 10; i < 14; i++) {
            group().put("key" + i, "" + i, Duration.ofMillis(i));
        }
        advanceMillis(12);
        assertThat(store().expired(at(11), at(12)).map(RetainedEntry::key)).containsExactly("key11");
        assertThat(store().expired(at(12), at(100)).map(RetainedEntry::key)).containsExactly("key12");
        store().purgeExpired();
        assertThat(store().expired(at(11), at(12)).map(RetainedEntry::key)).containsExactly("key11");
        assertThat(store().expired(at(12), at(12))).isEmpty();
    }

    @Test
    void moreThanAPageIsListedThoughAPurgeComesInBetween() {
        List<String> keys = IntStream.range(0, 700).mapToObj("%03d"::formatted).toList();
        fill(group(), 700, "%03d"::formatted, Expiry.after(TTL));
        advanceMillis(10);
        List<String> told = store().expired(at(0), at(100))
                .peek(entry -> {
                    if (entry.key().equals("300")) {
                        store().purgeExpired();
                    }
                })
                .map(RetainedEntry::key)
                .toList();
        assertThat(told).containsExactlyElementsOf(keys);
    }

    @Test
    void theFirstPurgeAfterTheTimeForgets() {
        group().put("first", "1", TTL);
        group().put("second", "2", Duration.ofMillis(11));
        advanceMillis(11);
        store().purgeExpired();
        advanceMillis(98);
        store().purgeExpired();
        assertThat(expired()).containsExactly("1", "2");
        advanceMillis(1);
        assertThat(expired()).containsExactly("1", "2");
        assertThat(store().purgeExpired()).isZero();
        assertThat(expired()).containsExactly("2");
        advanceMillis(1);
        store().purgeExpired();
        assertThat(expired()).isEmpty();
        assertThat(store().stats().retained()).isZero();
    }

    @Test
    void moreThanABatchIsForgotten() {
        fill(2_100, Expiry.after(TTL));
        advanceMillis(10);
        store().purgeExpired();
        advanceMillis(100);
        store().purgeExpired();
        assertThat(store().stats().retained()).isZero();
    }

    @Test
    void whatWasNeverPurgedBeforeItsTimeWasOverGoesAtOnce() {
        group().put("key", "value", TTL);
        advanceMillis(1_000);
        assertThat(store().purgeExpired()).isEqualTo(1);
        assertThat(expired()).isEmpty();
    }

    @Test
    void expiryIsToldOnceAndNotDelayed() {
        Recorder recorder = record();
        group().put("purged", "value", TTL);
        group().put("overwritten", "value", TTL);
        recorder.clear();
        advanceMillis(10);
        group().put("overwritten", "value");
        store().purgeExpired();
        assertThat(recorder.events()).hasSize(3);
        assertThat(recorder.events(EntryPut.class)).singleElement().satisfies(put -> assertThat(put.created())
                .isTrue());
        assertThat(recorder.events(EntryExpired.class))
                .extracting(EntryExpired::key)
                .containsExactly("overwritten", "purged");
        assertThat(recorder.events(EntryExpired.class))
                .extracting(StoreEvent::timestamp)
                .containsOnly(at(10));
        advanceMillis(200);
        store().purgeExpired();
        assertThat(recorder.events()).hasSize(3);
    }

    @Test
    void withoutRetentionOnlyWhatIsNotPurgedIsListed() {
        open(settings());
        store().deletePrefix("");
        group().put("key", "value", TTL);
        group().put("overwritten", "old", TTL);
        advanceMillis(10);
        group().put("overwritten", "new");
        assertThat(expired()).containsExactly("value");
        store().purgeExpired();
        assertThat(expired()).isEmpty();
        assertThat(store().stats().retained()).isZero();
    }

    @Test
    void aGroupIsKeptForItsOwnTime() {
        open(settings()
                .retention(RETENTION)
                .group("long", keptFor(500))
                .group("short", keptFor(20))
                .group("none", keptFor(0)));
        List<String> names = List.of("another", "long", "none", "short");
        names.forEach(name -> store().group(name).put("key", name, TTL));
        advanceMillis(10);
        store().purgeExpired();
        assertThat(expired()).containsExactly("another", "long", "short");
        advanceMillis(19);
        store().purgeExpired();
        assertThat(expired()).containsExactly("another", "long", "short");
        advanceMillis(1);
        store().purgeExpired();
        assertThat(expired()).containsExactly("another", "long");
        advanceMillis(80);
        store().purgeExpired();
        assertThat(expired()).containsExactly("long");
        advanceMillis(400);
        store().purgeExpired();
        assertThat(expired()).isEmpty();
    }

    @Test
    void onlyTheGroupsThatAskAreKeptIfTheStoreKeepsNothing() {
        open(settings().group("audit", keptFor(100)).group("tenant:audit", keptFor(100)));
        for (String name : List.of("audi", "audit", "audit1", "tenant:audit", "tenant:other")) {
            store().group(name).put("key", name, TTL);
            store().group(name).put("overwritten", name + " overwritten", TTL);
        }
        advanceMillis(10);
        for (String name : List.of("audi", "audit", "audit1", "tenant:audit", "tenant:other")) {
            store().group(name).put("overwritten", "new");
        }
        store().purgeExpired();
        assertThat(expired())
                .containsExactlyInAnyOrder("audit", "audit overwritten", "tenant:audit", "tenant:audit overwritten");
        assertThat(store().scope("tenant").expired(Instant.MIN, Instant.MAX)).hasSize(2);
        advanceMillis(100);
        store().purgeExpired();
        assertThat(expired()).isEmpty();
        assertThat(store().stats().retained()).isZero();
    }

    @Test
    void aPurgeOfOneGroupForgetsNothingElse() {
        open(settings().group("audit", keptFor(100)).group("tenant:audit", keptFor(100)));
        store().group("audit").put("key", "audit", TTL);
        store().group("tenant:audit").put("key", "tenant", TTL);
        advanceMillis(10);
        store().purgeExpired();
        advanceMillis(100);
        store().scope("tenant").purgeExpired();
        assertThat(expired()).containsExactly("audit");
    }

    @Test
    void whatManyGroupsKeptIsForgottenWithThem() {
        open(settings().retention(RETENTION).group("audit", keptFor(10_000)));
        // More than a page of groups, and more than a commit.
        fillGroups(IntStream.range(0, 600).mapToObj(i -> "g" + i).toList(), Expiry.after(TTL));
        fill(store().group("g1"), 1_500, i -> "key" + i, Expiry.after(TTL));
        store().group("audit").put("key", "kept", TTL);
        advanceMillis(10);
        store().purgeExpired();
        assertThat(store().stats().retained()).isEqualTo(2_101);
        advanceMillis(100);
        store().purgeExpired();
        assertThat(expired()).containsExactly("kept");
    }

    static GroupSettings keptFor(long millis) {
        return GroupSettings.defaults().withRetention(Duration.ofMillis(millis));
    }

    @Test
    void aRetentionBelowZeroIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> settings().retention(Duration.ofMillis(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> keptFor(-1)).withMessageContaining("'retention'");
    }
}
