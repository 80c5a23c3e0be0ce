package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Group;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;

import static dev.ttlstore.contract.Assertions.assertThat;

/** One event for each change, in commit order. */
@Promise(13)
abstract class EventContract extends ContractArea {

    @Test
    void eachChangeIsOneEventWithAllThatBelongsToIt() {
        Recorder recorder = record();
        group().put("key", "first", Duration.ofMillis(100));
        long first = version();
        advanceMillis(1);
        group().put("key", "second");
        long second = version();
        advanceMillis(1);
        group().delete("key");
        group().put("key", "third");
        long third = version();
        group().take("key");

        List<StoreEvent> events = recorder.events();
        assertThat(events)
                .containsExactly(
                        new EntryPut(
                                events.get(0).sequence(),
                                MovableClock.START,
                                "group",
                                "key",
                                first,
                                true,
                                MovableClock.START.plusMillis(100)),
                        new EntryPut(
                                events.get(1).sequence(),
                                MovableClock.START.plusMillis(1),
                                "group",
                                "key",
                                second,
                                false,
                                null),
                        new EntryDeleted(
                                events.get(2).sequence(), MovableClock.START.plusMillis(2), "group", "key", second),
                        new EntryPut(
                                events.get(3).sequence(),
                                MovableClock.START.plusMillis(2),
                                "group",
                                "key",
                                third,
                                true,
                                null),
                        new EntryDeleted(
                                events.get(4).sequence(), MovableClock.START.plusMillis(2), "group", "key", third));
        assertSequenceRises(events);
    }

    @Test
    void anAddedEntryIsToldUnderItsNewKey() {
        Recorder recorder = record();
        String key = group().add("value");
        assertThat(recorder.events(EntryPut.class)).extracting(EntryPut::key).containsExactly(key);
    }

    @Test
    void whatChangesNothingIsNoEvent() {
        Recorder recorder = record();
        group().delete("missing");
        group().take("missing");
        group().clear();
        group().expire("missing", Duration.ofHours(1));
        group().persist("missing");
        store().purgeExpired();
        store().check();
        assertThat(recorder.events()).isEmpty();
    }

    @Test
    void changingAnExpiryIsNoEventAndItsEndIsToldOnce() {
        group().put("key", "value", Duration.ofMillis(10));
        Recorder recorder = record();
        group().expire("key", Duration.ofMillis(20));
        group().persist("key");
        group().expire("key", Duration.ofMillis(30));
        assertThat(recorder.events()).isEmpty();
        long version = version();
        advanceMillis(30);
        store().purgeExpired();
        assertThat(recorder.events(EntryExpired.class))
                .containsExactly(new EntryExpired(
                        recorder.events().get(0).sequence(),
                        MovableClock.START.plusMillis(30),
                        "group",
                        "key",
                        version,
                        MovableClock.START.plusMillis(30)));
    }

    @Test
    void anExpiredEntryIsToldOnceWhenAPurgeFindsIt() {
        Recorder recorder = expired();
        store().purgeExpired();
        store().purgeExpired();
        assertExpiredOnce(recorder);
    }

    @Test
    void anExpiredEntryIsToldOnceWhenAPutFindsItAndBeforeThePut() {
        Recorder recorder = expired();
        group().put("key", "anew");
        store().purgeExpired();
        assertExpiredOnce(recorder);
        assertThat(recorder.events()).hasSize(2);
        assertThat(recorder.events().get(0)).isInstanceOf(EntryExpired.class);
        assertThat(recorder.events(EntryPut.class))
                .extracting(EntryPut::created)
                .containsExactly(true);
    }

    @Test
    void anExpiredEntryIsToldAsExpiredWhenADeleteFindsIt() {
        Recorder recorder = expired();
        assertThat(group().delete("key")).isFalse();
        store().purgeExpired();
        assertExpiredOnce(recorder);
        assertThat(recorder.events()).hasSize(1);
    }

    @Test
    void anExpiredEntryIsToldOnceWhenExpireOrPersistFindIt() {
        Recorder recorder = expired();
        group().expire("key", Duration.ofHours(1));
        group().persist("key");
        store().purgeExpired();
        assertExpiredOnce(recorder);
    }

    @Test
    void anExpiredEntryIsToldOnceThoughReadsFindItFirst() {
        Recorder recorder = expired();
        group().get("key");
        group().take("key");
        group().getAll();
        store().purgeExpired();
        assertExpiredOnce(recorder);
    }

    @Test
    void aClearedGroupIsToldAfterItsExpiredEntriesAndWithItsLiveOnesCounted() {
        Recorder recorder = expired();
        group().put("first", "value");
        group().put("second", "value");
        recorder.clear();
        group().clear();
        List<StoreEvent> events = recorder.events();
        assertThat(events).hasSize(2);
        assertThat(events.get(0)).isInstanceOf(EntryExpired.class);
        assertThat(events.get(1))
                .isEqualTo(
                        new GroupDeleted(events.get(1).sequence(), events.get(0).timestamp(), "group", 2));
        assertSequenceRises(events);
    }

    @Test
    void clearingAGroupOfExpiredEntriesDeletesNoGroup() {
        Recorder recorder = expired();
        assertThat(group().clear()).isZero();
        assertExpiredOnce(recorder);
        assertThat(recorder.events(GroupDeleted.class)).isEmpty();
    }

    @Test
    void ofManyWhoFindAnExpiredEntryAtOnceOneTellsIt() {
        for (int round = 0; round < Effort.of(8, 20); round++) {
            Recorder recorder = record();
            group().put("key", "value", Duration.ofMillis(10));
            recorder.clear();
            advanceMillis(10);
            Threads.together(6, thread -> switch (thread) {
                case 0 -> store().purgeExpired();
                case 1 -> group().delete("key");
                case 2 -> group().get("key");
                case 3 -> group().clear();
                case 4 -> group().persist("key");
                default -> group().take("key");
            });
            assertExpiredOnce(recorder);
        }
    }

    @Test
    void theSequenceRisesUnderConcurrentWriters() {
        Recorder recorder = record();
        int rounds = Effort.of(50, 100);
        Threads.together(8, thread -> {
            Group<String> mine = store().group("group" + thread % 3);
            for (int i = 0; i < rounds; i++) {
                mine.put("key" + i % 7, "value");
                mine.delete("key" + i % 5);
                if (i % 50 == 49) {
                    mine.clear();
                }
            }
            return thread;
        });
        assertSequenceRises(recorder.events());
        assertThat(recorder.events(EntryPut.class)).hasSize(8 * rounds);
    }

    @Test
    @Promise({9, 13})
    void theEventsTellTheStateThatTheStoreEndsIn() {
        Recorder recorder = record();
        Threads.together(8, thread -> {
            for (int i = 0; i < 100; i++) {
                if ((i + thread) % 3 == 0) {
                    group().delete("key" + i % 10);
                } else {
                    group().put("key" + i % 10, "value");
                }
            }
            return thread;
        });
        for (int key = 0; key < 10; key++) {
            String name = "key" + key;
            List<StoreEvent> ofKey = recorder.events().stream()
                    .filter(event -> name.equals(keyOf(event)))
                    .toList();
            StoreEvent last = ofKey.get(ofKey.size() - 1);
            assertThat(group().contains(name)).isEqualTo(last instanceof EntryPut);
            if (last instanceof EntryPut put) {
                assertThat(group().entry(name).orElseThrow().version()).isEqualTo(put.version());
            }
        }
    }

    /** A store with an expired entry, which nobody has been told of. */
    private Recorder expired() {
        group().put("key", "value", Duration.ofMillis(10));
        advanceMillis(10);
        return record();
    }

    private void assertExpiredOnce(Recorder recorder) {
        assertThat(recorder.events(EntryExpired.class))
                .extracting(EntryExpired::key)
                .containsExactly("key");
    }

    private static String keyOf(StoreEvent event) {
        return event instanceof EntryPut put ? put.key() : ((EntryDeleted) event).key();
    }

    private long version() {
        return group().entry("key").orElseThrow().version();
    }
}
