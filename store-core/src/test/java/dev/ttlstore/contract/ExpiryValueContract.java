package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Expiry;
import dev.ttlstore.GroupSettings;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.TextGroup;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.expiry.ExpiredEntry;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** When an entry expires, by all that an {@link Expiry} can say. */
@Promise({1, 2})
abstract class ExpiryValueContract extends ContractArea {

    private static final Duration HOUR = Duration.ofHours(1);

    private static Instant at(Duration time) {
        return MovableClock.START.plus(time);
    }

    private @Nullable Instant expiresAt(String key) {
        return group().entry(key).orElseThrow().expiresAt();
    }

    @Test
    void keepLeavesTheExpiryOfAnOverwrittenEntry() {
        group().put("key", "first", HOUR);
        advanceMillis(10);
        group().put("key", "second", Expiry.keep());
        assertThat(group().get("key")).contains("second");
        assertThat(expiresAt("key")).isEqualTo(at(HOUR));
        group().persist("key");
        group().put("key", "third", Expiry.keep());
        assertThat(expiresAt("key")).isNull();
    }

    @Test
    void aNewEntryKeepsTheDefaultOfItsGroup() {
        open(settings().group("defaulted", GroupSettings.defaults().withTtl(HOUR)));
        TextGroup defaulted = store().group("defaulted");
        defaulted.put("key", "value", Expiry.keep());
        assertThat(defaulted.entry("key").orElseThrow().expiresAt()).isEqualTo(at(HOUR));
        group().put("key", "value", Expiry.keep());
        assertThat(expiresAt("key")).isNull();
    }

    @Test
    @Promise(3)
    void anExpiredEntryHasNothingToKeep() {
        group().put("key", "value", Duration.ofMillis(5));
        advanceMillis(5);
        group().put("key", "value", Expiry.keep());
        assertThat(expiresAt("key")).isNull();
    }

    @Test
    void inAGroupWithADefaultOneCallMakesAnEntryPermanent() {
        open(settings().group("defaulted", GroupSettings.defaults().withTtl(HOUR)));
        TextGroup defaulted = store().group("defaulted");
        defaulted.put("key", "value", Expiry.never());
        assertThat(defaulted.entry("key").orElseThrow().expiresAt()).isNull();
        defaulted.put("key", "value", Expiry.groupDefault());
        assertThat(defaulted.entry("key").orElseThrow().expiresAt()).isEqualTo(at(HOUR));
    }

    @Test
    @Promise({7, 13, 16})
    void aPastTimeMeansGoneAtOnceWithItsEventsAndItsTrueExpiry() {
        Recorder recorder = record();
        advanceMillis(10);
        long version = group().put("token", "", MovableClock.START);
        assertThat(group().get("token")).isEmpty();
        assertThat(group().count()).isZero();
        store().purgeExpired();
        assertThat(recorder.events()).hasSize(2);
        assertThat(recorder.events(EntryPut.class)).singleElement().satisfies(put -> {
            assertThat(put.version()).isEqualTo(version);
            assertThat(put.created()).isTrue();
        });
        assertThat(recorder.events(EntryExpired.class)).singleElement().satisfies(expired -> {
            assertThat(expired.version()).isEqualTo(version);
            assertThat(expired.expiresAt()).isEqualTo(at(Duration.ofMillis(10)));
        });
    }

    @Test
    @Promise({7, 17})
    void aPastTimeReachesTheHandlerOfExpiredEntries() {
        Handled handled = new Handled();
        store().onExpired("subscriber", "group", String.class, handled);
        group().put("token", "late", Expiry.at(MovableClock.START.minusSeconds(1)));
        store().purgeExpired();
        handled.await("token");
        assertThat(handled.entries()).extracting(ExpiredEntry::value).containsExactly("late");
    }

    @Test
    void aPastTimeEndsTheEntryThatWasThere() {
        group().put("key", "value");
        assertThat(group().putIfPresent("key", "late", Expiry.now())).isPresent();
        assertThat(group().contains("key")).isFalse();
        group().put("key", "value");
        assertThat(group().expire("key", Instant.MIN)).isTrue();
        assertThat(group().contains("key")).isFalse();
        assertThat(group().expire("key", Instant.MIN)).isFalse();
        assertThat(group().putIfAbsent("key", "again")).isPresent();
    }

    @Test
    @Promise(19)
    void whatIsGoneAtOnceDoesNotCountAgainstAQuota() {
        Scope scope = store().scope("acme", new Quota(1, 0, 0));
        scope.group("group").put("kept", "value");
        scope.group("group").put("late", "value", MovableClock.START);
        assertThat(scope.usage().keys()).isEqualTo(1);
        assertThat(scope.group("group").get("kept")).contains("value");
    }

    @Test
    @Promise({7, 17})
    void expireNowRunsTheHandlersOfOneEntry() {
        Handled handled = new Handled();
        store().onExpired("subscriber", "group", String.class, handled);
        group().put("key", "value", HOUR);
        group().put("other", "value", HOUR);
        advanceMillis(10);
        assertThat(group().expireNow("key")).isTrue();
        assertThat(group().expireNow("key")).isFalse();
        assertThat(group().expireNow("missing")).isFalse();
        assertThat(group().keys()).containsExactly("other");
        store().purgeExpired();
        handled.await("key");
    }

    @Test
    @Promise(3)
    void aConditionOnlyExtendsOrOnlyShortens() {
        Expiry inAnHour = Expiry.after(HOUR);
        group().put("shorter", "value", Duration.ofMinutes(1));
        group().put("longer", "value", Duration.ofDays(1));
        group().put("permanent", "value");
        for (String key : List.of("shorter", "longer", "permanent")) {
            assertThat(group().expire(key, inAnHour.ifLater())).isTrue();
        }
        assertThat(expiresAt("shorter")).isEqualTo(at(HOUR));
        assertThat(expiresAt("longer")).isEqualTo(at(Duration.ofDays(1)));
        assertThat(expiresAt("permanent")).isNull();
        for (String key : List.of("longer", "permanent")) {
            assertThat(group().expire(key, inAnHour.ifEarlier())).isTrue();
            assertThat(expiresAt(key)).isEqualTo(at(HOUR));
        }
        assertThat(group().expire("shorter", Expiry.after(Duration.ofDays(1)).ifEarlier()))
                .isTrue();
        assertThat(expiresAt("shorter")).isEqualTo(at(HOUR));
        assertThat(group().expire("missing", inAnHour.ifLater())).isFalse();
    }

    @Test
    void aConditionOfAPutConcernsTheEntryThatWasThere() {
        group().put("key", "value", Duration.ofDays(1));
        group().put("key", "other", Expiry.after(HOUR).ifLater());
        assertThat(expiresAt("key")).isEqualTo(at(Duration.ofDays(1)));
        group().put("new", "value", Expiry.after(HOUR).ifLater());
        assertThat(expiresAt("new")).isEqualTo(at(HOUR));
        group().put("newer", "value", Expiry.after(HOUR).ifEarlier());
        assertThat(expiresAt("newer")).isEqualTo(at(HOUR));
    }

    @Test
    void anExpiryCanCountFromTheCreationOrTheLastPut() {
        group().put("key", "value");
        advanceMillis(10);
        group().put("key", "value");
        advanceMillis(10);
        group().expire("key", Expiry.afterCreation(HOUR));
        assertThat(expiresAt("key")).isEqualTo(at(HOUR));
        group().expire("key", Expiry.afterUpdate(HOUR));
        assertThat(expiresAt("key")).isEqualTo(at(HOUR.plusMillis(10)));
        group().put("key", "value", Expiry.afterCreation(HOUR));
        assertThat(expiresAt("key")).isEqualTo(at(HOUR));
        group().put("key", "value", Expiry.afterUpdate(HOUR));
        assertThat(expiresAt("key")).isEqualTo(at(HOUR.plusMillis(20)));
        group().put("new", "value", Expiry.afterCreation(HOUR));
        assertThat(expiresAt("new")).isEqualTo(at(HOUR.plusMillis(20)));
        assertThat(group().expire("key", Expiry.afterCreation(Duration.ofMillis(20))))
                .isTrue();
        assertThat(group().contains("key")).isFalse();
    }

    @Test
    void anExpiryCanBePutOff() {
        group().put("key", "value", HOUR);
        group().put("permanent", "value");
        advanceMillis(10);
        group().expire("key", Expiry.later(Duration.ofDays(10)));
        assertThat(expiresAt("key")).isEqualTo(at(HOUR.plusDays(10)));
        group().expire("permanent", Expiry.later(Duration.ofDays(10)));
        assertThat(expiresAt("permanent")).isNull();
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE / 2_000 - 1);
        group().expire("key", Expiry.later(longest));
        group().expire("key", Expiry.later(longest));
        assertThat(expiresAt("key")).isAfter(Instant.EPOCH.plus(longest.minusDays(1)));
        assertThat(group().get("key")).contains("value");
    }

    @Test
    @Promise(8)
    void aTransactionSeesTheExpiryThatItHasSet() {
        group().put("key", "value", HOUR);
        store().transact(tx -> {
            TextGroup inside = tx.group("group");
            inside.expire("key", Expiry.later(HOUR));
            inside.put("key", "other", Expiry.keep());
            inside.expire("key", Expiry.after(Duration.ofMinutes(1)).ifLater());
            inside.put("gone", "value", MovableClock.START);
            assertThat(inside.contains("gone")).isFalse();
            return inside.entry("key").orElseThrow();
        });
        assertThat(expiresAt("key")).isEqualTo(at(HOUR.multipliedBy(2)));
        assertThat(group().keys()).containsExactly("key");
    }

    @Test
    void everyWriteTakesAnExpiry() {
        Expiry expiry = Expiry.at(at(HOUR));
        String added = group().add("value", expiry);
        group().putAll(Map.of("all", "value"), expiry);
        group().putIfAbsent("absent", "value", expiry);
        group().getAndPut("got", "value", expiry);
        group().getAndPutIfAbsent("got if absent", "value", expiry);
        group().getOrPut("loaded", expiry, () -> "value");
        group().put("key", "value");
        group().putIfPresent("key", "value 2", expiry);
        group().put("replaced", "value");
        group().replace("replaced", "value", "other", expiry);
        long version = group().put("versioned", "value");
        group().replaceVersion("versioned", version, "other", expiry);
        store().counters("group").increment("counter", 1, expiry);
        assertThat(group().keys()).hasSize(10).contains(added).allSatisfy(key -> assertThat(expiresAt(key))
                .isEqualTo(at(HOUR)));
    }

    @Test
    void nullIsRefusedByName() {
        assertThatNullPointerException()
                .isThrownBy(() -> group().put("key", "value", ContractArea.<Expiry>nothing()))
                .withMessageContaining("'expiry'");
        assertThatNullPointerException()
                .isThrownBy(() -> group().expire("key", ContractArea.<Expiry>nothing()))
                .withMessageContaining("'expiry'");
    }

    @Test
    @Promise(23)
    void anExpiryMayChangeAnyNumberOfTimesInOneCommit() {
        group().put("key", "value", HOUR);
        store().transactWithoutResult(tx -> {
            for (int i = 0; i < 30_000; i++) {
                tx.group("group")
                        .expire(
                                "key",
                                Expiry.after(Duration.ofMillis(1_000 + i % 7)).ifLater());
                tx.group("group")
                        .expire(
                                "key",
                                Expiry.after(Duration.ofMillis(5_000 - i % 7)).ifEarlier());
                if (i % 2 == 1) {
                    tx.group("group").expire("key", Expiry.later(Duration.ofMillis(1)));
                }
            }
        });
        assertThat(expiresAt("key")).isEqualTo(at(Duration.ofMillis(4997)));
    }
}
