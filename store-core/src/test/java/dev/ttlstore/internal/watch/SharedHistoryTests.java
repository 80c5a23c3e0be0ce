package dev.ttlstore.internal.watch;

import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.StoreEvent;

import static dev.ttlstore.contract.Assertions.assertThat;

/** The last events of several processes: numbers rise only within a group or a scope. */
@Promise(15)
class SharedHistoryTests {

    private static final long NONE = Long.MIN_VALUE;

    /** Groups whose names begin with a scope are in its order. */
    private static final UnaryOperator<String> ORDERS = watched -> watched.startsWith("acme:") ? "acme:" : watched;

    private final EventHistory history = EventHistory.of(3, ORDERS);

    private static StoreEvent event(String group, long sequence) {
        return new EntryDeleted(sequence, Instant.EPOCH, group, "key", 1);
    }

    private void commit(StoreEvent... events) {
        history.committed(List.of(events));
        List.of(events).forEach(history::add);
    }

    @Test
    void aHighNumberOfOneGroupSaysNothingAboutAnother() {
        history.activate(NONE, "a");
        commit(event("a", 5), event("b", 1_000));
        assertThat(history.isCompleteAfter(5, "a")).isTrue();
        assertThat(history.isCompleteAfter(7, "a")).isFalse();
        assertThat(history.isCompleteAfter(1_000, "a")).isFalse();
        assertThat(history.isReached(1_000, "a")).isFalse();
        assertThat(history.isCompleteAfter(1_000, "b")).isTrue();
    }

    @Test
    @Promise({15, 24})
    void ofEventsWithLongNamesItKeepsAsManyAsItHasRoomFor() {
        EventHistory large = EventHistory.of(1_000, ORDERS);
        large.activate(NONE, "a");
        String name = "k".repeat((int) EventSizes.LEAST_ROOM / 8); // two bytes each
        for (int sequence = 1; sequence <= 8; sequence++) {
            StoreEvent event = new EntryDeleted(sequence, Instant.EPOCH, "a", name, 1);
            large.committed(List.of(event));
            large.add(event);
        }
        assertThat(large.isCompleteAfter(4, "a")).isFalse();
        assertThat(large.isCompleteAfter(6, "a")).isTrue();
        assertThat(large.after(0, "a")).extracting(StoreEvent::sequence).containsExactly(6L, 7L, 8L);
    }

    @Test
    void theGroupsOfAScopeHaveOneOrder() {
        history.activate(NONE, "acme:");
        commit(event("acme:a", 5), event("b", 1), event("acme:b", 9));
        assertThat(history.isCompleteAfter(5, "acme:")).isTrue();
        assertThat(history.isCompleteAfter(5, "acme:b")).isTrue();
        assertThat(history.after(5, "acme:")).containsExactly(event("acme:b", 9));
    }

    @Test
    void severalOrdersHaveNoPlaceToResumeAt() {
        history.activate(NONE, "");
        commit(event("a", 5));
        assertThat(history.isCompleteAfter(5, "")).isFalse();
        assertThat(history.after(5, "")).isEmpty();
    }

    @Test
    void whatItHasForgottenIsMissing() {
        history.activate(NONE, "a");
        commit(event("a", 1), event("a", 2), event("b", 1_000), event("a", 3));
        assertThat(history.isCompleteAfter(1, "a")).isFalse();
        assertThat(history.isCompleteAfter(2, "a")).isTrue();
        assertThat(history.after(2, "a")).containsExactly(event("a", 3));
    }

    @Test
    void theLastNumberBeforeItBeganIsKnown() {
        commit(event("a", 1), event("a", 2));
        history.activate(NONE, "a");
        assertThat(history.isCompleteAfter(1, "a")).isFalse();
        assertThat(history.isCompleteAfter(2, "a")).isTrue();
    }

    @Test
    void aNumberThatWasHandedOutIsKnownToItsGroup() {
        history.activate(4, "a");
        assertThat(history.isCompleteAfter(4, "a")).isTrue();
        assertThat(history.isCompleteAfter(4, "b")).isFalse();
        commit(event("a", 7));
        assertThat(history.after(4, "a")).containsExactly(event("a", 7));
    }

    @Test
    void anEventOnItsWayIsKnown() {
        history.activate(NONE, "a");
        history.committed(List.of(event("a", 1)));
        assertThat(history.isReached(1, "a")).isTrue();
        assertThat(history.isCompleteAfter(1, "a")).isTrue();
        assertThat(history.after(1, "a")).isEmpty();
    }

    @Test
    void afterALossOnlyWhatWasCommittedSinceIsKnown() {
        history.activate(NONE, "a");
        commit(event("a", 1));
        history.committed(List.of(event("a", 2)));
        history.missed();
        history.committed(List.of(event("a", 9)));
        history.add(event("a", 2));
        history.lost();
        assertThat(history.isCompleteAfter(1, "a")).isFalse();
        assertThat(history.isCompleteAfter(2, "a")).isFalse();
        assertThat(history.isCompleteAfter(9, "a")).isTrue();
        history.add(event("a", 9));
        assertThat(history.after(2, "a")).containsExactly(event("a", 9));
    }

    @Test
    void aLossBeforeTheFirstWatchIsNotForgotten() {
        commit(event("a", 1));
        history.missed();
        history.activate(NONE, "a");
        assertThat(history.isCompleteAfter(1, "a")).isFalse();
    }

    @Test
    void withoutRoomItIsNeverComplete() {
        EventHistory none = EventHistory.of(0, ORDERS);
        none.committed(List.of(event("a", 1)));
        none.activate(1, "a");
        assertThat(none.isActive()).isFalse();
        assertThat(none.isCompleteAfter(1, "a")).isFalse();
    }
}
