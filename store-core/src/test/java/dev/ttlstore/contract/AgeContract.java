package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.GroupSettings;
import dev.ttlstore.Keyspace;
import dev.ttlstore.Scope;
import dev.ttlstore.TextGroup;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.StoreEvent;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** Entries by their age: sweeps of a group with an age index, of all groups and of purges, and a listing. */
@Promise(6)
abstract class AgeContract extends ContractArea {

    private static final Duration TEN = Duration.ofMillis(10);
    private static final Duration HOUR = Duration.ofHours(1);

    @BeforeEach
    void configure() {
        GroupSettings indexed = GroupSettings.defaults().withAgeIndex(true);
        GroupSettings limited = GroupSettings.defaults().withMaxAge(HOUR);
        open(settings()
                .group("group", indexed)
                .group("acme:group", indexed)
                .group("limited", limited)
                .group("acme:limited", limited));
    }

    private Instant in(long millis) {
        return clock.instant().plusMillis(millis);
    }

    private static List<String> keys(Stream<? extends Entry<?>> entries) {
        return entries.map(Entry::key).toList();
    }

    private static List<String> byAge(Group<?> group) {
        return keys(group.createdBefore(Instant.MAX));
    }

    @Test
    void aSweepByTheIndexRemovesTheSameAsOneWithoutIt() {
        for (TextGroup group : List.of(group(), store().group("plain"))) {
            group.put("old", "value");
            group.put("overwritten", "value");
            group.put("created again", "value");
            group.put("expired", "value", Duration.ofMillis(5));
            advanceMillis(1);
            group.put("of that age", "value", HOUR);
            advanceMillis(1);
            group.put("younger", "value");
            group.delete("created again");
            group.put("created again", "value");
            advanceMillis(9);
            group.put("overwritten", "other");
            Recorder recorder = record();
            assertThat(group.sweep(TEN)).isEqualTo(3);
            assertThat(group.keys()).containsExactly("created again", "younger");
            assertThat(recorder.events(EntryDeleted.class))
                    .extracting(EntryDeleted::key)
                    .containsExactlyInAnyOrder("of that age", "old", "overwritten");
            assertThat(group.sweep(TEN)).isZero();
        }
    }

    @Test
    @Promise({1, 13})
    void aSweepByTheIndexLeavesWhatHasExpired() {
        group().put("expired", "value", Duration.ofMillis(5));
        group().put("live", "value");
        advanceMillis(5);
        Recorder recorder = record();
        assertThat(group().sweep(Duration.ZERO)).isEqualTo(1);
        store().purgeExpired();
        assertThat(recorder.events())
                .extracting(StoreEvent::getClass)
                .containsExactly(EntryDeleted.class, EntryExpired.class);
    }

    @Test
    void aSweepByTheIndexWorksInSmallCommitsFromTheOldestOn() {
        fill(group(), 600, i -> "b" + i);
        advanceMillis(1);
        fill(group(), 500, i -> "a" + i);
        store().onChange(event -> {
            if (event instanceof EntryDeleted && !store().group("other").contains("written")) {
                store().group("other")
                        .put(
                                "written",
                                String.join(" ", group().keys().limit(600).toList()));
            }
        });
        assertThat(group().sweep(Duration.ZERO)).isEqualTo(1_100);
        assertThat(store().group("other").get("written").orElseThrow().split(" "))
                .hasSizeBetween(501, 600)
                .contains("a0", "a499");
    }

    @Test
    void anInterruptedSweepEndsEarly() {
        fill(1_000);
        Thread.currentThread().interrupt();
        long swept = store().sweep(Duration.ZERO);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(swept).isBetween(0L, 999L);
        assertThat(group().count()).isEqualTo(1_000 - swept);
    }

    @Test
    void theIndexFollowsEveryKindOfWrite() {
        group().put("put", "value");
        group().put("moved", "value", TEN);
        group().put("cleared", "value");
        group().put("expired", "value", TEN);
        advanceMillis(1);
        String added = group().add("value");
        assertThat(group().expire("moved", Expiry.after(HOUR))).isTrue();
        assertThat(group().take("cleared")).isPresent();
        advanceMillis(20);
        store().purgeExpired();
        group().putIfAbsent("expired", "again");
        assertThat(byAge(group())).containsExactly("moved", "put", added, "expired");
        group().clear();
        assertThat(byAge(group())).isEmpty();
        group().put("after", "value");
        assertThat(byAge(group())).containsExactly("after");
    }

    @Test
    void aSweepOfAStoreOrAScopeIsOneOfAllItsGroups() {
        Scope acme = store().scope("acme");
        Scope umbrella = store().scope("umbrella");
        List<Keyspace> all = List.of(store(), acme, umbrella);
        for (Keyspace keyspace : all) {
            keyspace.group("group").put("old", "value");
            keyspace.group("plain").put("old", "value");
        }
        advanceMillis(10);
        for (Keyspace keyspace : all) {
            keyspace.group("group").put("young", "value");
        }
        assertThat(acme.sweep(TEN)).isEqualTo(2);
        assertThat(acme.groups()).containsExactly("group");
        assertThat(umbrella.count()).isEqualTo(3);
        assertThat(store().sweep(TEN)).isEqualTo(4);
        assertThat(store().groups()).containsExactly("acme:group", "group", "umbrella:group");
        assertThat(store().sweep(Duration.ofSeconds(Long.MAX_VALUE))).isZero();
    }

    @Test
    @Promise(8)
    void aTransactionSweepsAndListsWhatItSees() {
        group().put("old", "value");
        group().put("changed", "value");
        group().put("deleted", "value");
        group().put("created again", "value");
        store().group("plain").put("old", "value");
        advanceMillis(10);
        store().transact(tx -> {
            TextGroup group = tx.group("group");
            group.put("changed", "other");
            group.delete("deleted");
            group.delete("created again");
            group.put("created again", "value");
            group.put("added", "value");
            assertThat(byAge(group)).containsExactly("changed", "old", "added", "created again");
            assertThat(tx.sweep(TEN)).isEqualTo(3);
            assertThat(byAge(group)).containsExactly("added", "created again");
            return true;
        });
        assertThat(byAge(group())).containsExactly("added", "created again");
        assertThat(store().group("plain").count()).isZero();
    }

    @Test
    @Promise(8)
    void aTransactionWithManyChangesListsThemInOrder() {
        fill(700);
        advanceMillis(1);
        fill(group(), 300, i -> "more" + i);
        advanceMillis(1);
        List<String> listed = store().transact(tx -> {
            TextGroup group = tx.group("group");
            group.deleteAll(IntStream.range(0, 690).mapToObj(i -> "key" + i).toList());
            IntStream.range(0, 600).forEach(i -> group.put("new" + i, "value"));
            return byAge(group);
        });
        assertThat(listed).hasSize(910).startsWith("key690", "key691").endsWith("new99");
        assertThat(byAge(group())).isEqualTo(listed);
    }

    @Test
    void theListingIsOrderedByCreationThenByKey() {
        group().put("c", "value");
        group().put("d", "value", Duration.ofMillis(4));
        advanceMillis(2);
        group().put("b", "value");
        group().put("a", "value");
        advanceMillis(2);
        group().put("e", "value");
        group().put("c", "overwritten");
        assertThat(keys(group().createdBefore(in(1)))).containsExactly("c", "a", "b", "e");
        assertThat(keys(group().createdBefore(in(0)))).containsExactly("c", "a", "b");
        assertThat(keys(group().createdBefore(in(-2)))).containsExactly("c");
        assertThat(keys(group().createdBefore(in(-4)))).isEmpty();
        assertThat(keys(group().createdBefore(Instant.MIN))).isEmpty();
        assertThat(group().createdBefore(Instant.MAX).findFirst())
                .hasValueSatisfying(entry -> assertThat(entry.value()).isEqualTo("overwritten"));
    }

    @Test
    void theListingGoesOnBehindADeletedEntry() {
        fill(600);
        Stream<Entry<String>> entries = group().createdBefore(in(1));
        assertThat(entries.peek(entry -> group().delete(entry.key()))).hasSize(600);
        assertThat(group().count()).isZero();
    }

    @Test
    void aGroupWithoutAnIndexIsNotListedByAge() {
        assertThatIllegalStateException()
                .isThrownBy(() -> store().group("plain").createdBefore(in(0)))
                .withMessageContaining("'plain'")
                .withMessageContaining("GroupSettings.withAgeIndex");
        assertThatNullPointerException()
                .isThrownBy(() -> group().createdBefore(nothing()))
                .withMessageContaining("'time'");
    }

    @Test
    void aPurgeDeletesWhatHasReachedTheMaximumAge() {
        TextGroup limited = store().group("limited");
        limited.put("old", "value");
        limited.put("old and expired", "value", HOUR);
        store().group("plain").put("old", "value");
        group().put("old", "value");
        advanceMillis(1);
        limited.put("younger", "value");
        clock.advance(HOUR.minusMillis(1));
        limited.put("old", "overwritten");
        Recorder recorder = record();
        assertThat(limited.get("old")).isPresent();
        assertThat(store().purgeExpired()).isEqualTo(1);
        assertThat(limited.keys()).containsExactly("younger");
        assertThat(recorder.events(EntryDeleted.class))
                .extracting(EntryDeleted::key)
                .containsExactly("old");
        assertThat(recorder.events(EntryExpired.class))
                .extracting(EntryExpired::key)
                .containsExactly("old and expired");
        assertThat(store().count()).isEqualTo(3);
    }

    @Test
    @Promise(18)
    void aPurgeOfAScopeDeletesOldEntriesOfThatScopeAlone() {
        store().group("limited").put("old", "value");
        Scope acme = store().scope("acme");
        acme.group("limited").put("old", "value");
        store().scope("umbrella").group("limited").put("old", "value");
        clock.advance(HOUR);
        acme.purgeExpired();
        assertThat(store().groups()).containsExactly("limited", "umbrella:limited");
        store().purgeExpired();
        assertThat(store().groups()).containsExactly("umbrella:limited");
    }

    @Test
    void aPurgeOfManyOldEntriesLetsWritersInBetween() {
        fill(store().group("limited"), 1_100, i -> "key" + i);
        clock.advance(HOUR);
        store().onChange(event -> {
            if (event instanceof EntryDeleted && !group().contains("written")) {
                group().put("written", String.valueOf(store().group("limited").count()));
            }
        });
        assertThat(store().purgeExpired()).isZero();
        assertThat(store().group("limited").count()).isZero();
        assertThat(Integer.parseInt(group().get("written").orElseThrow())).isBetween(1, 1_099);
    }

    @Test
    void aPurgeThatFindsNothingCommitsNothing() {
        store().group("limited").put("young", "value");
        store().purgeExpired();
        long commits = store().activity().commits();
        store().purgeExpired();
        assertThat(store().activity().commits() - commits).isLessThanOrEqualTo(1);
        assertThat(store().group("limited").count()).isEqualTo(1);
    }

    @Test
    @Promise(3)
    void anEntryThatIsPutAgainWhileItIsSweptLives() {
        store().group("limited").put("key", "value");
        clock.advance(HOUR);
        store().group("limited").delete("key");
        store().group("limited").put("key", "again");
        store().purgeExpired();
        assertThat(store().group("limited").get("key")).contains("again");
    }

    @Test
    void badAgesAreRefused() {
        for (Duration bad : List.of(Duration.ZERO, HOUR.negated())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> GroupSettings.defaults().withMaxAge(bad))
                    .withMessageContaining("'maxAge'");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GroupSettings.defaults().withMaxAge(HOUR).withAgeIndex(false))
                .withMessageContaining("'ageIndex'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store().sweep(HOUR.negated()))
                .withMessageContaining("'maxAge'");
        assertThatNullPointerException()
                .isThrownBy(() -> store().sweep(nothing()))
                .withMessageContaining("'maxAge'");
    }

    @Test
    void aMaximumAgeTurnsTheIndexOnAndOtherSettingsStay() {
        GroupSettings settings =
                GroupSettings.defaults().withMaxAge(HOUR).withTtl(TEN).withStatistics(true);
        assertThat(settings).isEqualTo(new GroupSettings(TEN, true, false, HOUR, true, null));
        assertThat(settings.withMaxAge(null)).isEqualTo(new GroupSettings(TEN, true, false, null, true, null));
        assertThat(settings.withMaxAge(null).withAgeIndex(false))
                .isEqualTo(new GroupSettings(TEN, true, false, null, false, null));
        assertThat(GroupSettings.defaults().ageIndex()).isFalse();
    }
}
