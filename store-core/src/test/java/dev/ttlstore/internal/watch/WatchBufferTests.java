package dev.ttlstore.internal.watch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.Overflow;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.event.WatchSignal.Change;
import dev.ttlstore.event.WatchSignal.Gap;

import static dev.ttlstore.contract.Assertions.assertThat;
import static dev.ttlstore.internal.watch.Events.change;
import static dev.ttlstore.internal.watch.Events.deleted;
import static dev.ttlstore.internal.watch.Events.event;
import static dev.ttlstore.internal.watch.Events.expired;
import static dev.ttlstore.internal.watch.Events.gap;
import static dev.ttlstore.internal.watch.Events.groupDeleted;
import static dev.ttlstore.internal.watch.Events.put;

/** What the buffer of a watch does with each event. */
@Promise(15)
class WatchBufferTests {

    @ParameterizedTest
    @EnumSource
    void anEmptyBufferHasNothingToTell(Overflow overflow) {
        WatchBuffer buffer = buffer(1, overflow);
        assertThat(buffer.isEmpty()).isTrue();
        assertThat(buffer.poll()).isNull();
    }

    @ParameterizedTest
    @EnumSource
    @Promise({13, 15})
    void upToItsCapacityAllIsKeptInOrder(Overflow overflow) {
        WatchBuffer buffer = buffer(3, overflow);
        assertThat(offer(buffer, 1, 3)).isZero();
        assertThat(buffer.isEmpty()).isFalse();
        assertThat(drain(buffer)).containsExactly(change(1), change(2), change(3));
        assertThat(buffer.isEmpty()).isTrue();
        assertThat(buffer.dropped()).isZero();
        assertThat(buffer.conflated()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aReaderWhoKeepsUpMissesNothing(Overflow overflow) {
        WatchBuffer buffer = buffer(1, overflow);
        for (int sequence = 1; sequence <= 100; sequence++) {
            assertThat(offer(buffer, event(sequence))).isTrue();
            assertThat(drain(buffer)).containsExactly(change(sequence));
        }
        assertThat(buffer.dropped()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP_OLDEST", "LATEST_PER_KEY"})
    void oneBeyondTheCapacityCostsTheOldest(Overflow overflow) {
        WatchBuffer buffer = buffer(3, overflow);
        offer(buffer, 1, 3);
        assertThat(offer(buffer, event(4))).isFalse();
        assertThat(buffer.dropped()).isEqualTo(1);
        assertThat(drain(buffer)).containsExactly(gap(1, 1), change(2), change(3), change(4));
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP_OLDEST", "LATEST_PER_KEY"})
    void whatIsMissedBeforeTheNextReadIsOneGapAtTheHead(Overflow overflow) {
        WatchBuffer buffer = buffer(3, overflow);
        assertThat(offer(buffer, 1, 10)).isEqualTo(7);
        assertThat(buffer.dropped()).isEqualTo(7);
        assertThat(drain(buffer)).containsExactly(gap(1, 7), change(8), change(9), change(10));
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP_OLDEST", "LATEST_PER_KEY"})
    void aGapBeginsWithTheFirstMissedSinceTheLastSignal(Overflow overflow) {
        WatchBuffer buffer = buffer(2, overflow);
        offer(buffer, 1, 3);
        assertThat(buffer.poll()).isEqualTo(gap(1, 1));
        assertThat(buffer.poll()).isEqualTo(change(2));
        offer(buffer, 4, 6);
        assertThat(buffer.poll()).isEqualTo(gap(3, 2));
        offer(buffer, 7, 7);
        assertThat(drain(buffer)).containsExactly(gap(5, 1), change(6), change(7));
        assertThat(buffer.dropped()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP_OLDEST", "LATEST_PER_KEY"})
    void roomForOneIsRoomForTheLatest(Overflow overflow) {
        WatchBuffer buffer = buffer(1, overflow);
        offer(buffer, 1, 5);
        assertThat(drain(buffer)).containsExactly(gap(1, 4), change(5));
    }

    @ParameterizedTest
    @EnumSource
    void whatNeverArrivedIsAGapAfterEverythingBefore(Overflow overflow) {
        WatchBuffer buffer = buffer(5, overflow);
        buffer.lost(1);
        assertThat(drain(buffer)).containsExactly(gap(1, 1));
        offer(buffer, 2, 3);
        buffer.lost(4);
        buffer.lost(5);
        offer(buffer, 6, 6);
        assertThat(drain(buffer).stream().map(signal -> signal instanceof Gap ? "gap" : "change"))
                .containsExactly("change", "change", "gap", "change");
        assertThat(buffer.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void whatArrivesAfterAllReplacesNeitherTheGapNorAnEvent(Overflow overflow) {
        WatchBuffer buffer = buffer(3, overflow);
        offer(buffer, 1, 1);
        buffer.lost(2);
        offer(buffer, 2, 3);
        assertThat(drain(buffer)).containsExactly(change(1), gap(2, 1), change(2), change(3));
        offer(buffer, 4, 4);
        buffer.lost(4);
        offer(buffer, 5, 6);
        assertThat(drain(buffer)).containsExactly(change(4), gap(4, 1), change(5), change(6));
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP_OLDEST", "LATEST_PER_KEY"})
    void aGapInTheMiddleJoinsTheOneAtTheHeadOnceTheChangesBeforeItAreDropped(Overflow overflow) {
        WatchBuffer buffer = buffer(2, overflow);
        offer(buffer, 1, 1);
        buffer.lost(2);
        offer(buffer, 3, 5);
        assertThat(drain(buffer)).containsExactly(gap(1, 3), change(4), change(5));
        assertThat(buffer.dropped()).isEqualTo(3);
    }

    @Test
    void withTheLatestOfEachKeyManyLossesAreOneGap() {
        WatchBuffer buffer = buffer(3, Overflow.LATEST_PER_KEY);
        offer(buffer, 1, 1);
        for (int sequence = 2; sequence < 100; sequence += 2) {
            offer(buffer, put(sequence, "hot"));
            buffer.lost(sequence + 1);
        }
        assertThat(drain(buffer)).hasSize(3).contains(gap(3, 1));
    }

    @Test
    void withNewestDroppedOneBeyondTheCapacityIsMissedItself() {
        WatchBuffer buffer = buffer(3, Overflow.DROP_NEWEST);
        offer(buffer, 1, 3);
        assertThat(offer(buffer, event(4))).isFalse();
        assertThat(buffer.dropped()).isEqualTo(1);
        assertThat(drain(buffer)).containsExactly(change(1), change(2), change(3), gap(4, 1));
    }

    @Test
    void withNewestDroppedTheGapComesBeforeTheNextThatIsAccepted() {
        WatchBuffer buffer = buffer(2, Overflow.DROP_NEWEST);
        assertThat(offer(buffer, 1, 5)).isEqualTo(3);
        assertThat(buffer.poll()).isEqualTo(change(1));
        assertThat(offer(buffer, event(6))).isTrue();
        assertThat(drain(buffer)).containsExactly(change(2), gap(3, 3), change(6));
        assertThat(buffer.dropped()).isEqualTo(3);
    }

    @Test
    void withNewestDroppedTheGapIsToldThoughNothingFollows() {
        WatchBuffer buffer = buffer(1, Overflow.DROP_NEWEST);
        offer(buffer, 1, 3);
        assertThat(buffer.poll()).isEqualTo(change(1));
        assertThat(buffer.isEmpty()).isFalse();
        assertThat(buffer.poll()).isEqualTo(gap(2, 2));
        assertThat(buffer.isEmpty()).isTrue();
        offer(buffer, 4, 4);
        assertThat(drain(buffer)).containsExactly(change(4));
    }

    @Test
    void withNewestDroppedEachGapKeepsItsPlaceAndTakesNoRoom() {
        WatchBuffer buffer = buffer(2, Overflow.DROP_NEWEST);
        offer(buffer, 1, 3); // 3 is missed
        buffer.poll();
        offer(buffer, 4, 6); // 5 and 6 are missed
        assertThat(buffer.poll()).isEqualTo(change(2));
        assertThat(offer(buffer, event(7))).isTrue();
        assertThat(offer(buffer, event(8))).isFalse();
        assertThat(drain(buffer)).containsExactly(gap(3, 1), change(4), gap(5, 2), change(7), gap(8, 1));
        assertThat(buffer.dropped()).isEqualTo(4);
    }

    @Test
    void aLaterChangeOfAnEntryReplacesTheEarlierAndComesInItsOwnOrder() {
        WatchBuffer buffer = buffer(3, Overflow.LATEST_PER_KEY);
        offer(buffer, put(1, "a"));
        offer(buffer, put(2, "b"));
        offer(buffer, deleted(3, "a"));
        offer(buffer, put(4, "c"));
        offer(buffer, expired(5, "b"));
        assertThat(drain(buffer))
                .containsExactly(new Change(deleted(3, "a")), new Change(put(4, "c")), new Change(expired(5, "b")));
        assertThat(buffer.conflated()).isEqualTo(2);
        assertThat(buffer.dropped()).isZero();
    }

    @Test
    void aFullBufferHasRoomForAnEntryThatIsInIt() {
        WatchBuffer buffer = buffer(2, Overflow.LATEST_PER_KEY);
        offer(buffer, put(1, "a"));
        offer(buffer, put(2, "b"));
        assertThat(offer(buffer, put(3, "a"))).isTrue();
        assertThat(drain(buffer)).containsExactly(new Change(put(2, "b")), new Change(put(3, "a")));
        assertThat(buffer.dropped()).isZero();
    }

    @Test
    void ofDifferentEntriesTheOneUnchangedForLongestIsDropped() {
        WatchBuffer buffer = buffer(2, Overflow.LATEST_PER_KEY);
        offer(buffer, put(1, "a"));
        offer(buffer, put(2, "b"));
        offer(buffer, put(3, "a"));
        assertThat(offer(buffer, put(4, "c"))).isFalse();
        assertThat(drain(buffer)).containsExactly(gap(2, 1), new Change(put(3, "a")), new Change(put(4, "c")));
        assertThat(buffer.conflated()).isEqualTo(1);
        assertThat(buffer.dropped()).isEqualTo(1);
    }

    @Test
    void whatHasBeenReadOrDroppedIsNotReplaced() {
        WatchBuffer buffer = buffer(1, Overflow.LATEST_PER_KEY);
        offer(buffer, put(1, "a"));
        buffer.poll();
        offer(buffer, put(2, "a"));
        offer(buffer, put(3, "b"));
        offer(buffer, put(4, "a"));
        assertThat(drain(buffer)).containsExactly(gap(2, 2), new Change(put(4, "a")));
        assertThat(buffer.conflated()).isZero();
    }

    @Test
    void equalKeysOfDifferentGroupsAreDifferentEntries() {
        WatchBuffer buffer = buffer(3, Overflow.LATEST_PER_KEY);
        offer(buffer, put(1, "group", "ab"));
        offer(buffer, put(2, "groupa", "b"));
        offer(buffer, put(3, "other", "ab"));
        assertThat(drain(buffer)).hasSize(3);
        assertThat(buffer.conflated()).isZero();
    }

    @Test
    void theDeletionOfAGroupReplacesAnEarlierOneOfThatGroupAndNothingElse() {
        WatchBuffer buffer = buffer(5, Overflow.LATEST_PER_KEY);
        offer(buffer, put(1, "a"));
        offer(buffer, groupDeleted(2, "group"));
        offer(buffer, groupDeleted(3, "other"));
        offer(buffer, put(4, "a"));
        offer(buffer, groupDeleted(5, "group"));
        assertThat(drain(buffer))
                .containsExactly(
                        new Change(groupDeleted(3, "other")),
                        new Change(put(4, "a")),
                        new Change(groupDeleted(5, "group")));
        assertThat(buffer.conflated()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP_OLDEST", "DROP_NEWEST"})
    void changesOfOneEntryAreAllKeptUnlessOnlyTheLatestIsAskedFor(Overflow overflow) {
        WatchBuffer buffer = buffer(3, overflow);
        offer(buffer, put(1, "a"));
        offer(buffer, put(2, "a"));
        offer(buffer, deleted(3, "a"));
        assertThat(drain(buffer)).hasSize(3);
        assertThat(buffer.conflated()).isZero();
    }

    /** Reads as it likes, and accounts for each sequence number: they begin with 1, and none is skipped. */
    @ParameterizedTest
    @EnumSource(names = {"DROP_OLDEST", "DROP_NEWEST"})
    @Promise({13, 15})
    void everyEventIsEitherToldInOrderOrPartOfTheGapInItsPlace(Overflow overflow) {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int capacity = 1 + random.nextInt(5);
            WatchBuffer buffer = buffer(capacity, overflow);
            List<WatchSignal> told = new ArrayList<>();
            long missed = 0;
            for (int sequence = 1; sequence <= 100; sequence++) {
                missed += offer(buffer, put(sequence, "key" + random.nextInt(4))) ? 0 : 1;
                read(buffer, random.nextInt(3), told);
            }
            told.addAll(drain(buffer));

            long next = 1;
            for (WatchSignal signal : told) {
                assertThat(sequence(signal)).as("seed %s", seed).isEqualTo(next);
                next += signal instanceof Gap gap ? gap.missed() : 1;
            }
            assertThat(next).isEqualTo(101);
            assertThat(buffer.dropped()).isEqualTo(missed);
        }
    }

    @Test
    @Promise({13, 15})
    void whereOnlyTheLatestIsKeptAllAreAccountedForAndOrderHolds() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int capacity = 1 + random.nextInt(5);
            WatchBuffer buffer = buffer(capacity, Overflow.LATEST_PER_KEY);
            List<WatchSignal> told = new ArrayList<>();
            for (int sequence = 1; sequence <= 100; sequence++) {
                offer(buffer, put(sequence, "key" + random.nextInt(8)));
                read(buffer, random.nextInt(3), told);
            }
            told.addAll(drain(buffer));

            assertThat(told.stream().map(WatchBufferTests::sequence).toList())
                    .as("seed %s", seed)
                    .isSorted()
                    .doesNotHaveDuplicates();
            long changes = told.stream().filter(Change.class::isInstance).count();
            assertThat(changes + missed(told) + buffer.conflated()).isEqualTo(100);
            assertThat(missed(told)).isEqualTo(buffer.dropped());
        }
    }

    @Test
    void withRoomForEveryEntryTheLatestOfEachIsTold() {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            WatchBuffer buffer = buffer(4, Overflow.LATEST_PER_KEY);
            Map<String, StoreEvent> latest = new HashMap<>();
            List<WatchSignal> told = new ArrayList<>();
            for (int sequence = 1; sequence <= 100; sequence++) {
                EntryPut put = put(sequence, "key" + random.nextInt(4));
                latest.put(put.key(), put);
                offer(buffer, put);
                read(buffer, random.nextInt(2), told);
            }
            told.addAll(drain(buffer));
            assertThat(buffer.dropped()).isZero();
            assertThat(told)
                    .as("seed %s", seed)
                    .containsAll(latest.values().stream().map(Change::new).toList());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP_OLDEST", "LATEST_PER_KEY"})
    @Promise({15, 24})
    void valuesThatTakeTooMuchMemoryCostTheOldest(Overflow overflow) {
        WatchBuffer buffer = buffer(1_000, overflow);
        for (int sequence = 1; sequence <= 5; sequence++) {
            assertThat(buffer.offer(event(sequence), EventSizes.LEAST_ROOM / 4)).isEqualTo(sequence < 4);
        }
        assertThat(buffer.dropped()).isEqualTo(2);
        assertThat(drain(buffer)).containsExactly(gap(1, 2), change(3), change(4), change(5));
        assertThat(buffer.offer(event(6), EventSizes.LEAST_ROOM / 2)).isTrue();
    }

    @Test
    @Promise({15, 24})
    void valuesThatTakeTooMuchMemoryCostTheNewestIfThatIsWhatIsDropped() {
        WatchBuffer buffer = buffer(1_000, Overflow.DROP_NEWEST);
        for (int sequence = 1; sequence <= 5; sequence++) {
            assertThat(buffer.offer(event(sequence), EventSizes.LEAST_ROOM / 4)).isEqualTo(sequence < 4);
        }
        assertThat(drain(buffer)).containsExactly(change(1), change(2), change(3), gap(4, 2));
    }

    @ParameterizedTest
    @EnumSource
    @Promise({15, 24})
    void aValueThatIsLargerThanTheBufferIsReadAlone(Overflow overflow) {
        WatchBuffer buffer = buffer(3, overflow);
        assertThat(buffer.offer(event(1), 10 * EventSizes.LEAST_ROOM)).isTrue();
        assertThat(buffer.offer(event(2), 0)).isFalse();
        assertThat(drain(buffer)).hasSize(2);
        assertThat(buffer.offer(event(3), 10 * EventSizes.LEAST_ROOM)).isTrue();
    }

    @Test
    @Promise({15, 24})
    void aValueThatIsReplacedGivesItsRoomToTheNewOne() {
        WatchBuffer buffer = buffer(3, Overflow.LATEST_PER_KEY);
        for (int sequence = 1; sequence <= 5; sequence++) {
            assertThat(buffer.offer(put(sequence, "key"), EventSizes.LEAST_ROOM / 2 + 1))
                    .isTrue();
        }
        assertThat(buffer.conflated()).isEqualTo(4);
    }

    private static WatchBuffer buffer(int capacity, Overflow overflow) {
        return new WatchBuffer(new WatchOptions(capacity, overflow));
    }

    private static boolean offer(WatchBuffer buffer, StoreEvent event) {
        return buffer.offer(event, 0);
    }

    /** Offers events, and answers for how many there was no room. */
    private static int offer(WatchBuffer buffer, int first, int last) {
        int refused = 0;
        for (int sequence = first; sequence <= last; sequence++) {
            refused += offer(buffer, event(sequence)) ? 0 : 1;
        }
        return refused;
    }

    private static void read(WatchBuffer buffer, int most, List<WatchSignal> told) {
        for (int i = 0; i < most; i++) {
            WatchSignal signal = buffer.poll();
            if (signal != null) {
                told.add(signal);
            }
        }
    }

    private static List<WatchSignal> drain(WatchBuffer buffer) {
        List<WatchSignal> signals = new ArrayList<>();
        WatchSignal signal = buffer.poll();
        while (signal != null) {
            signals.add(signal);
            signal = buffer.poll();
        }
        return signals;
    }

    private static long sequence(WatchSignal signal) {
        return signal instanceof Gap gap
                ? gap.fromSequence()
                : ((Change) signal).event().sequence();
    }

    private static long missed(List<WatchSignal> signals) {
        return signals.stream()
                .mapToLong(signal -> signal instanceof Gap gap ? gap.missed() : 0)
                .sum();
    }
}
