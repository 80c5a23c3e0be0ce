package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.ttlstore.CacheActivity;
import dev.ttlstore.GroupActivity;
import dev.ttlstore.GroupSettings;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.StoreActivity;
import dev.ttlstore.TextGroup;
import dev.ttlstore.exception.QuotaExceededException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What a store counts of its own doing. */
abstract class ActivityContract extends ContractArea {

    private static final Duration HOUR = Duration.ofHours(1);

    private GroupActivity entries() {
        return store().activity().entries();
    }

    @Test
    void aNewStoreHasDoneNothing() {
        assertThat(store().activity())
                .isEqualTo(new StoreActivity(
                        new GroupActivity(0, 0, 0, 0, 0, 0),
                        Map.of(),
                        0,
                        0,
                        0,
                        null,
                        0,
                        0,
                        Duration.ZERO,
                        0,
                        0,
                        new CacheActivity(0, 0, 0, 0)));
    }

    @Test
    void readsAreHitsOrMisses() {
        group().put("key", "value", HOUR);
        assertThat(group().get("key")).isPresent();
        assertThat(group().get("key")).isPresent();
        assertThat(group().entry("key")).isPresent();
        assertThat(group().contains("key")).isTrue();
        assertThat(group().getAll(List.of("key", "absent", "gone"))).hasSize(1);
        assertThat(group().get("absent")).isEmpty();
        assertThat(entries()).isEqualTo(new GroupActivity(5, 3, 1, 0, 0, 0));
        clock.advance(HOUR);
        assertThat(group().get("key")).isEmpty();
        assertThat(group().getOrPut("key", HOUR, () -> "loaded")).isEqualTo("loaded");
        assertThat(group().getOrPut("key", HOUR, () -> "again")).isEqualTo("loaded");
        assertThat(entries()).isEqualTo(new GroupActivity(6, 5, 2, 0, 0, 1));
        assertThat(store().<Boolean>transact(tx -> tx.group("group").contains("key")))
                .isTrue();
        assertThat(entries().hits()).isEqualTo(7);
    }

    @Test
    void eachRemovalHasItsCause() {
        group().put("replaced", "value", HOUR);
        group().put("replaced", "other", HOUR);
        group().put("deleted", "value", HOUR);
        group().put("taken", "value", HOUR);
        assertThat(group().delete("deleted")).isTrue();
        assertThat(group().delete("deleted")).isFalse();
        assertThat(group().take("taken")).isPresent();
        assertThat(entries()).isEqualTo(new GroupActivity(0, 0, 3, 1, 2, 0));
        assertThat(entries().puts()).isEqualTo(4);
        clock.advance(HOUR);
        assertThat(entries().expired()).isZero();
        store().purgeExpired();
        assertThat(entries().expired()).isEqualTo(1);
        group().putAll(Map.of("a", "1", "b", "2", "c", "3"));
        assertThat(group().clear()).isEqualTo(3);
        assertThat(entries()).isEqualTo(new GroupActivity(0, 0, 6, 1, 5, 1));
    }

    @Test
    @Promise(8)
    void whatATransactionTakesBackIsNotCounted() {
        assertThatExceptionOfType(IllegalCallerException.class).isThrownBy(() -> store().transact(tx -> {
            tx.group("group").put("key", "value");
            throw new IllegalCallerException();
        }));
        assertThat(entries().created()).isZero();
        assertThat(store().activity().commits()).isZero();
    }

    @Test
    void commitsAndThoseWhoShareThemAreCounted() {
        group().put("key", "value");
        group().async().put("other", "value").join();
        store().transact(tx -> {
            tx.group("group").put("a", "1");
            tx.group("group").put("b", "2");
            return true;
        });
        StoreActivity activity = store().activity();
        assertThat(activity.commits()).isEqualTo(3);
        assertThat(activity.writes()).isEqualTo(3);
        assertThat(activity.entries().created()).isEqualTo(4);
    }

    @Test
    void purgesAreCountedAndTheLastIsKnown() {
        assertThat(store().stats().purgeLag()).isZero();
        group().put("key", "value", HOUR);
        clock.advance(HOUR.plusMinutes(2));
        assertThat(store().stats().purgeLag()).isEqualTo(Duration.ofMinutes(2));
        store().purgeExpired();
        assertThat(store().activity().purges()).isEqualTo(1);
        assertThat(store().activity().lastPurge()).isEqualTo(clock.instant());
        assertThat(store().stats().purgeLag()).isZero();
    }

    @Test
    @Promise(19)
    void refusalsForAQuotaAreCounted() {
        Scope scope = store().scope("acme", new Quota(1, 0, 0));
        scope.group("group").put("key", "value");
        assertThat(store().activity().quotaRefusals()).isZero();
        assertThatExceptionOfType(QuotaExceededException.class)
                .isThrownBy(() -> scope.group("group").put("other", "value"));
        assertThat(store().activity().quotaRefusals()).isEqualTo(1);
    }

    @Test
    void aGroupIsCountedByItselfWhenAskedFor() {
        open(settings()
                .group("counted", GroupSettings.defaults().withStatistics(true))
                .group("acme:group", GroupSettings.defaults().withStatistics(true)));
        TextGroup counted = store().group("counted");
        counted.put("key", "value", HOUR);
        group().put("key", "value", HOUR);
        assertThat(counted.get("key")).isPresent();
        assertThat(counted.get("absent")).isEmpty();
        store().scope("acme").group("group").put("key", "value");
        clock.advance(HOUR);
        store().purgeExpired();
        assertThat(store().activity().groups())
                .containsOnly(
                        Map.entry("counted", new GroupActivity(1, 1, 1, 0, 0, 1)),
                        Map.entry("acme:group", new GroupActivity(0, 0, 1, 0, 0, 0)));
        assertThat(entries()).isEqualTo(new GroupActivity(1, 1, 3, 0, 0, 2));
    }
}
