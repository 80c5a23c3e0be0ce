package dev.ttlstore.postgresql.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;

import static dev.ttlstore.contract.Assertions.assertThat;

/** That the campaign would notice what it looks for in the watches. */
class WatchTrailTests {

    private final WatchTrail trail = new WatchTrail("node");
    private final List<String> faults = new ArrayList<>();

    private void check(Long... truth) {
        trail.check(new TreeSet<>(List.of(truth)), faults);
    }

    @Test
    void aWholeTrailIsRight() {
        trail.from(2);
        trail.seen(2);
        trail.seen(3);
        check(1L, 2L, 3L);
        trail.seen(4);
        check(4L);
        assertThat(faults).isEmpty();
        assertThat(trail.hasReached(4)).isTrue();
        assertThat(trail.hasReached(5)).isFalse();
    }

    @Test
    void aChangeThatIsMissingIsNoticedAlsoBetweenRounds() {
        trail.from(1);
        trail.seen(1);
        trail.seen(3);
        check(1L, 2L, 3L);
        assertThat(faults).hasSize(1);
        trail.seen(5);
        check(4L, 5L);
        assertThat(faults).hasSize(2);
    }

    @Test
    void theFirstChangeMayNotBeMissing() {
        trail.from(1);
        trail.seen(2);
        check(1L, 2L);
        assertThat(faults).hasSize(1);
    }

    @Test
    void aGapExcusesWhatIsMissingBeforeTheNextChangeOnly() {
        trail.from(1);
        trail.seen(1);
        trail.gap();
        trail.seen(3);
        check(1L, 2L, 3L);
        assertThat(faults).isEmpty();
        trail.seen(5);
        check(4L, 5L);
        assertThat(faults).hasSize(1);
    }

    @Test
    void aChangeThatComesTwiceOrNeverWasIsNoticed() {
        trail.seen(1);
        trail.gap();
        trail.seen(1);
        check(1L);
        assertThat(faults).hasSize(1);
        trail.seen(7);
        check(8L);
        assertThat(faults).hasSize(2);
    }
}
