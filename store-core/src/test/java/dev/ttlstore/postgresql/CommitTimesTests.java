package dev.ttlstore.postgresql;

import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

/** How many commits are worth being under way. */
@Promise(11)
class CommitTimesTests {

    private static final long MILLI = 1_000_000;

    private final AtomicLong nanos = new AtomicLong();
    private final CommitTimes times = new CommitTimes(nanos::get);

    private void answer(long taken) {
        long sentAt = times.now();
        nanos.addAndGet(taken);
        long unused = times.answered(sentAt);
    }

    private void commits(int beside, long taken) {
        for (int i = 0; i < 200; i++) {
            long sentAt = times.now();
            for (int j = 1; j < beside; j++) {
                int unused = times.begin();
            }
            int underWay = times.begin();
            nanos.addAndGet(taken);
            long unused = times.answered(sentAt);
            for (int j = 0; j < beside; j++) {
                times.end(sentAt, underWay, j == 0 ? 1 : 0);
            }
        }
    }

    @Test
    void oneUntilTheServerHasAnsweredAndCommitted() {
        assertThat(times.worthwhile()).isEqualTo(1);
        answer(MILLI);
        assertThat(times.worthwhile()).isEqualTo(1);
    }

    @Test
    void oneWithANearbyServer() {
        answer(MILLI / 10);
        commits(1, MILLI);
        assertThat(times.worthwhile()).isEqualTo(1);
    }

    @Test
    void asManyAsTheServerCouldMakeWhileAnAnswerIsOnItsWay() {
        answer(MILLI);
        commits(1, MILLI + MILLI / 2);
        assertThat(times.worthwhile()).isEqualTo(3);
    }

    @Test
    void oneMoreIfTheServerWouldWaitForMostOfACommit() {
        answer(MILLI);
        commits(1, MILLI + 2 * MILLI - 1);
        assertThat(times.worthwhile()).isEqualTo(2);
        commits(1, MILLI + 2 * MILLI + MILLI / 10);
        assertThat(times.worthwhile()).isEqualTo(1);
    }

    @Test
    void theirWaitForEachOtherDoesNotCount() {
        answer(MILLI);
        commits(2, 2 * MILLI);
        assertThat(times.worthwhile()).isEqualTo(3);
    }

    @Test
    void asManyAsTheServerCouldMakeWhileAllMessagesOfACommitAreOnTheirWay() {
        answer(MILLI);
        for (int i = 0; i < 200; i++) {
            long sentAt = times.now();
            int underWay = times.begin();
            nanos.addAndGet(2 * MILLI + MILLI / 2);
            times.end(sentAt, underWay, 2);
        }
        assertThat(times.worthwhile()).isEqualTo(5);
    }

    @Test
    void aCommitThatWasNotMadeDoesNotCount() {
        answer(MILLI);
        commits(1, MILLI + MILLI / 2);
        long sentAt = times.now();
        int underWay = times.begin();
        nanos.addAndGet(1_000 * MILLI);
        times.end(sentAt, underWay, 0);
        assertThat(times.worthwhile()).isEqualTo(3);
    }

    /** As when the server has moved to another network. */
    @Test
    void aWayIsForgottenAfterAWhile() {
        answer(MILLI / 10);
        nanos.addAndGet(6_000 * MILLI);
        answer(2 * MILLI);
        nanos.addAndGet(6_000 * MILLI);
        answer(2 * MILLI);
        commits(1, 3 * MILLI);
        assertThat(times.worthwhile()).isEqualTo(3);
    }
}
