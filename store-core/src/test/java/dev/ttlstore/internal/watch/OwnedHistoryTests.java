package dev.ttlstore.internal.watch;

import java.util.List;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.StoreEvent;

import static dev.ttlstore.contract.Assertions.assertThat;
import static dev.ttlstore.internal.watch.Events.event;

/** What the history says of itself, which decides between a gap and none. */
@Promise({13, 15})
class OwnedHistoryTests {

    private final OwnedHistory history = new OwnedHistory(2);

    private void commit(StoreEvent... events) {
        history.committed(List.of(events));
        List.of(events).forEach(history::add);
    }

    @Test
    void itBeginsWithWhatWasCommittedBeforeIt() {
        commit(event(1), event(2));
        history.activate(Long.MIN_VALUE, "");
        assertThat(history.isCompleteAfter(1, "")).isFalse();
        assertThat(history.isCompleteAfter(2, "")).isTrue();
        assertThat(history.isCompleteAfter(3, "")).isFalse();
    }

    @Test
    void withoutACommitItBeginsWithTheFirst() {
        history.activate(Long.MIN_VALUE, "");
        history.activate(Long.MIN_VALUE, "");
        assertThat(history.isCompleteAfter(6, "")).isFalse();
        commit(event(7));
        assertThat(history.isCompleteAfter(5, "")).isFalse();
        assertThat(history.isCompleteAfter(6, "")).isTrue();
        assertThat(history.after(6, "")).containsExactly(event(7));
    }

    @Test
    void aNumberThatWasHandedOutIsKnown() {
        history.activate(Long.MIN_VALUE, "");
        history.activate(4, "");
        assertThat(history.isCompleteAfter(3, "")).isFalse();
        assertThat(history.isCompleteAfter(4, "")).isTrue();
        commit(event(5));
        history.activate(6, "");
        assertThat(history.isCompleteAfter(4, "")).isTrue();
        assertThat(history.isCompleteAfter(6, "")).isTrue();
        assertThat(history.isCompleteAfter(7, "")).isFalse();
    }

    @Test
    @Promise({15, 24})
    void ofEventsWithLongNamesItKeepsAsManyAsItHasRoomFor() {
        OwnedHistory large = new OwnedHistory(1_000);
        large.activate(Long.MIN_VALUE, "");
        String name = "k".repeat((int) EventSizes.LEAST_ROOM / 8); // two bytes each
        for (int sequence = 1; sequence <= 8; sequence++) {
            large.add(Events.put(sequence, name));
        }
        assertThat(large.isCompleteAfter(4, "")).isFalse();
        assertThat(large.after(0, "")).extracting(StoreEvent::sequence).containsExactly(6L, 7L, 8L);
        large.lost();
        large.add(Events.put(9, name));
        large.add(Events.put(10, name));
        large.add(Events.put(11, name));
        assertThat(large.after(0, "")).hasSize(3);
    }

    /** Numbers of different groups are in no order, if several processes write. */
    @Test
    void whatItHasForgottenIsMissingWhateverTheOrder() {
        history.activate(Long.MIN_VALUE, "");
        commit(event(9), event(4), event(10), event(5));
        assertThat(history.isCompleteAfter(8, "")).isFalse();
        assertThat(history.isCompleteAfter(9, "")).isTrue();
        assertThat(history.isCompleteAfter(10, "")).isTrue();
    }

    @Test
    void afterALossItIsCompleteFromTheNextCommitOn() {
        commit(event(3));
        history.missed(); // before the first watch
        history.activate(Long.MIN_VALUE, "");
        assertThat(history.isCompleteAfter(3, "")).isFalse();
        commit(event(9));
        assertThat(history.isCompleteAfter(7, "")).isFalse();
        assertThat(history.isCompleteAfter(8, "")).isTrue();
        history.missed();
        history.lost();
        history.activate(Long.MIN_VALUE, "");
        assertThat(history.isCompleteAfter(9, "")).isFalse();
        commit(event(20));
        assertThat(history.isCompleteAfter(18, "")).isFalse();
        assertThat(history.isCompleteAfter(19, "")).isTrue();
    }

    @Test
    void withoutRoomItIsNeverComplete() {
        OwnedHistory none = new OwnedHistory(0);
        none.committed(List.of(event(1)));
        none.activate(1, "");
        assertThat(none.isActive()).isFalse();
        assertThat(none.isReached(1, "")).isFalse();
        assertThat(none.isCompleteAfter(1, "")).isFalse();
    }
}
