package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Waiter;
import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.Change.Kind;
import dev.ttlstore.engine.IgnoredChanges;
import dev.ttlstore.engine.RemoteChanges;
import dev.ttlstore.engine.Row;
import dev.ttlstore.postgresql.LogRow.LogPlace;
import dev.ttlstore.postgresql.LogRow.OwnCommit;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;

class LogCursorTests {

    private static final int SLOT = 3;

    private final Slots slots = new Slots(32);
    private final List<String> reported = new ArrayList<>();
    private final LogCursor cursor = new LogCursor(slots);

    private boolean room = true;
    private boolean failing;

    private final RemoteChanges remote = new IgnoredChanges() {
        @Override
        public boolean hasRoom() {
            return room;
        }

        @Override
        public void changed(List<Change> changes) {
            report("changed", changes);
        }

        @Override
        public void heldBack(List<Change> changes) {
            report("held back", changes);
        }

        @Override
        public void released(List<Change> changes) {
            report("released", changes);
        }

        private void report(String what, List<Change> changes) {
            if (failing) {
                throw new IllegalStateException("listeners are broken");
            }
            changes.forEach(change -> reported.add(what + ' ' + slots.seq(change.sequence())));
        }

        @Override
        public void unreported(long sequence) {
            reported.add("unreported from " + slots.seq(sequence));
        }

        @Override
        public void lost(long sequence) {
            reported.add("lost from " + slots.seq(sequence));
        }
    };

    private static LogHead head(long seq) {
        return new LogHead(SLOT, seq, 1, 0, 0, 0, batch(seq), 0);
    }

    private static UUID batch(long seq) {
        return new UUID(0, seq);
    }

    private LogRow row(long seq) {
        Change change = new Change(Kind.CREATED, slots.number(SLOT, seq), 0, "group", "key", 1, Row.NEVER, 0);
        return new LogRow(SLOT, seq, batch(seq), Row.NEVER, false, ChangeCodec.encode(List.of(change)));
    }

    private static OwnCommit end(List<LogRow> before, LogRow... own) {
        return new OwnCommit(own[0].batch(), List.of(own), before);
    }

    /** Ends a commit in a thread of its own. */
    private Waiter<Boolean> commit(OwnCommit end) {
        return Waiter.start(() -> {
            Set<Integer> unread = cursor.unread(end, () -> reported.add("waiting"));
            cursor.committed(
                    end,
                    unread,
                    () -> reported.add("committed " + end.own().get(0).seq()));
            cursor.ended(requireNonNull(end.batch()));
            return true;
        });
    }

    @Test
    @Promise(13)
    void aCommitOfThisNodeIsReportedAfterAnEarlierOneWhoseAnswerComesLater() {
        cursor.start(List.of(head(10)), remote);
        cursor.begin(batch(11));
        cursor.begin(batch(13));
        Waiter<Boolean> later = commit(end(List.of(row(10), row(11), row(12)), row(13)));
        assertThat(later.isDone()).isFalse();
        assertThat(commit(end(List.of(row(10)), row(11))).get()).isTrue();
        assertThat(later.get()).isTrue();
        assertThat(reported).containsExactly("waiting", "committed 11", "changed 12", "committed 13");
        assertThat(cursor.report(List.of(row(13), row(14)))).isEqualTo(LogCursor.Progress.ALL);
        assertThat(reported).endsWith("committed 13", "changed 14");
    }

    /** It may have locked the slot, for which whoever looks up the outcome of the earlier one waits. */
    @Test
    void aCommitThatHasAddedNothingWaitsForNoOther() {
        cursor.start(List.of(head(10)), remote);
        cursor.begin(batch(11));
        OwnCommit end = new OwnCommit(null, List.of(), List.of(row(10), row(11)));
        cursor.committed(end, cursor.unread(end, () -> reported.add("waiting")), () -> reported.add("committed"));
        assertThat(commit(end(List.of(row(10)), row(11))).get()).isTrue();
        assertThat(reported).containsExactly("committed", "committed 11");
    }

    /** As after a pause in which others have made more commits than are read at once. */
    @Test
    @Promise(13)
    void aCommitThatHasAddedNothingReportsNoGapWhereTheLogHasMore() {
        cursor.start(List.of(head(10)), remote);
        OwnCommit end = new OwnCommit(null, List.of(), List.of(row(12), row(13)));
        cursor.committed(end, cursor.unread(end, () -> reported.add("waiting")), () -> reported.add("committed"));
        assertThat(cursor.report(List.of(row(10), row(11), row(12)))).isEqualTo(LogCursor.Progress.ALL);
        assertThat(reported).containsExactly("committed", "changed 11", "changed 12");
    }

    @Test
    @Promise({13, 15})
    void aCommitOfThisNodeIsNotReportedAgainIfALaterOneCouldNotReadIt() {
        cursor.start(List.of(head(10)), remote);
        cursor.begin(batch(11));
        cursor.committed(end(List.of(), row(12)), Set.of(SLOT), () -> reported.add("committed 12"));
        assertThat(commit(end(List.of(row(10)), row(11))).get()).isTrue();
        cursor.report(List.of(row(11), row(12), row(13)));
        assertThat(reported).containsExactly("lost from 11", "committed 12", "committed 11", "changed 13");
    }

    @Test
    @Promise({13, 15})
    void anEarlierCommitOfThisNodeOfWhichNobodyKnowsIsReportedLikeOthers() {
        cursor.start(List.of(head(10)), remote);
        cursor.begin(batch(11));
        cursor.begin(batch(12));
        Waiter<Boolean> later = commit(end(List.of(row(10), row(11)), row(12)));
        assertThat(later.isDone()).isFalse();
        cursor.ended(batch(11));
        assertThat(later.get()).isTrue();
        assertThat(reported).containsExactly("waiting", "changed 11", "committed 12");
    }

    @Test
    @Promise(13)
    void aCommitThatReadsWhatCameBeforeWaitsForEarlierOnesOfThisNodeAndNotForLaterOnes() {
        cursor.start(List.of(head(10)), remote);
        cursor.begin(batch(11));
        cursor.begin(batch(12));
        cursor.begin(batch(13));
        OwnCommit end = end(List.of(unread(11)), row(12));
        List<LogRow> read = List.of(row(10), row(11), row(12), row(13));
        Waiter<LogCursor.Progress> reading =
                Waiter.start(() -> cursor.reportBefore(end, read, () -> reported.add("waiting")));
        assertThat(reading.isDone()).isFalse();
        assertThat(commit(end(List.of(row(10)), row(11))).get()).isTrue();
        assertThat(reading.get()).isEqualTo(LogCursor.Progress.WAITING);
        assertThat(reported).containsExactly("waiting", "committed 11");
    }

    @Test
    @Promise(13)
    void aCommitOfThisNodeThatPassesTheHeadsAsTheyAreReadIsNoLossAndNotReportedAgain() {
        cursor.start(List.of(head(10)), remote);
        Map<Integer, LogPlace> before = cursor.places();
        List<LogHead> heads = List.of(head(10));
        cursor.committed(end(List.of(row(10)), row(11)), Set.of(), () -> reported.add("committed 11"));
        cursor.compare(before, heads);
        cursor.report(List.of(row(11), row(12)));
        assertThat(reported).containsExactly("committed 11", "changed 12");
    }

    @Test
    @Promise(15)
    void aServerThatHasLostCommitsIsFollowedFromItsHeadAfterAGap() {
        cursor.start(List.of(head(10)), remote);
        cursor.compare(cursor.places(), List.of(head(8)));
        cursor.report(List.of(row(8), row(9)));
        assertThat(reported).containsExactly("lost from 9", "changed 9");
    }

    @Test
    @Promise(13)
    void aCommitWhoseChangesDoNotFitIntoOneReadIsReportedWithTheNext() {
        cursor.start(List.of(head(10)), remote);
        assertThat(cursor.report(List.of(row(10), row(11), unread(12)))).isEqualTo(LogCursor.Progress.MORE);
        assertThat(reported).containsExactly("changed 11");
        assertThat(cursor.report(List.of(row(11), row(12)))).isEqualTo(LogCursor.Progress.ALL);
        assertThat(reported).containsExactly("changed 11", "changed 12");
    }

    @Test
    @Promise(15)
    void aCommitAfterMoreThanOneReadOfOthersReportsAGapIfTheRestCannotBeRead() {
        cursor.start(List.of(head(10)), remote);
        List<LogRow> before = List.of(row(10), row(11), unread(12));
        assertThat(cursor.unread(end(before, row(13)), () -> {})).containsExactly(SLOT);
        cursor.committed(end(before, row(13)), Set.of(SLOT), () -> reported.add("committed 13"));
        assertThat(reported).containsExactly("lost from 11", "committed 13");
    }

    @Test
    @Promise(13)
    void aCommitAfterMoreThanOneReadOfOthersComesAfterTheRest() {
        cursor.start(List.of(head(10)), remote);
        cursor.begin(batch(14));
        OwnCommit end = end(List.of(unread(12), row(13)), row(14));
        assertThat(cursor.unread(end, () -> {})).containsExactly(SLOT);
        assertThat(cursor.report(List.of(row(10), row(11), unread(12)))).isEqualTo(LogCursor.Progress.MORE);
        assertThat(cursor.reportBefore(end, List.of(row(11), row(12), row(13), row(14), row(15)), () -> {}))
                .isEqualTo(LogCursor.Progress.WAITING);
        cursor.committed(end, Set.of(), () -> reported.add("committed 14"));
        cursor.ended(batch(14));
        cursor.report(List.of(row(14), row(15)));
        assertThat(reported).containsExactly("changed 11", "changed 12", "changed 13", "committed 14", "changed 15");
    }

    private static LogRow unread(long seq) {
        return new LogRow(SLOT, seq, batch(seq), Row.NEVER, false, new byte[0]);
    }

    @Test
    @Promise({13, 15})
    void aCommitOfThisNodeAfterALossIsNotReportedAgain() {
        cursor.start(List.of(head(10)), remote);
        Map<Integer, LogPlace> before = cursor.places();
        cursor.committed(end(List.of(), row(11)), Set.of(SLOT), () -> reported.add("committed 11"));
        cursor.compare(before, List.of(head(8)));
        cursor.report(List.of(row(11), row(12)));
        assertThat(reported).containsExactly("lost from 11", "committed 11", "changed 12");
    }

    @Test
    @Promise({13, 24})
    void eventsAreHeldBackWhileThereIsNoRoomAndReportedInTheirOrderOnceThereIs() {
        cursor.start(List.of(head(10)), remote);
        room = false;
        cursor.report(List.of(row(10), row(11), row(12)));
        room = true;
        cursor.report(List.of(row(12), row(13))); // not before the others
        assertThat(cursor.isHoldingBack()).isTrue();
        assertThat(cursor.release(List.of(row(10), row(11), unread(12)))).isTrue();
        assertThat(cursor.release(List.of(row(11), row(12), row(13), row(14))))
                .as("14 is not followed yet")
                .isFalse();
        assertThat(cursor.isHoldingBack()).isFalse();
        cursor.report(List.of(row(13), row(14)));
        assertThat(reported)
                .containsExactly(
                        "held back 11",
                        "held back 12",
                        "held back 13",
                        "released 11",
                        "released 12",
                        "released 13",
                        "changed 14");
    }

    @Test
    @Promise(24)
    void noMoreIsReportedThanThereIsRoomFor() {
        cursor.start(List.of(head(10)), remote);
        room = false;
        cursor.report(List.of(row(10), row(11)));
        assertThat(cursor.release(List.of(row(10), row(11)))).isFalse();
        assertThat(cursor.isHoldingBack()).isTrue();
        assertThat(reported).containsExactly("held back 11");
    }

    @Test
    @Promise({13, 15})
    void aCommitOfThisNodeDoesNotWaitForEventsThatAreHeldBackWhichAreAGapThen() {
        cursor.start(List.of(head(10)), remote);
        room = false;
        cursor.report(List.of(row(10), row(11)));
        cursor.committed(end(List.of(row(11), row(12)), row(13)), Set.of(), () -> reported.add("committed 13"));
        room = true;
        assertThat(cursor.release(List.of(row(10), row(11), row(12), row(13)))).isFalse();
        cursor.report(List.of(row(13), row(14)));
        assertThat(reported)
                .containsExactly("held back 11", "held back 12", "unreported from 11", "committed 13", "changed 14");
    }

    @Test
    @Promise(15)
    void eventsThatAreHeldBackForLongerThanTheLogIsKeptAreAGap() {
        cursor.start(List.of(head(10)), remote);
        room = false;
        cursor.report(List.of(row(10), row(11), row(12)));
        room = true;
        assertThat(cursor.release(List.of(row(12)))).isFalse();
        assertThat(cursor.isHoldingBack()).isFalse();
        assertThat(reported).containsExactly("held back 11", "held back 12", "unreported from 11");
    }

    @Test
    @Promise({13, 24})
    void aCommitInSeveralRowsIsFollowedToItsLastOne() {
        cursor.start(List.of(head(10)), remote);
        cursor.committed(end(List.of(row(10)), row(11), row(12)), Set.of(), () -> {});
        cursor.report(List.of(row(12), row(13)));
        assertThat(reported).containsExactly("changed 13");
    }

    @Test
    @Promise(15)
    void changesInAnUnknownFormAreAGapFromTheFirstOneOn() {
        cursor.start(List.of(head(10)), remote);
        LogRow unknown = new LogRow(SLOT, 15, batch(15), Row.NEVER, false, new byte[] {0});
        cursor.report(List.of(row(10), unknown, row(16)));
        assertThat(reported).containsExactly("lost from 11", "changed 16");
    }

    /** Otherwise it would be made again, or be reported as another node's. */
    @Test
    void aCommitEndsAlthoughThoseOfOthersBeforeItCannotBeReported() {
        cursor.start(List.of(head(10)), remote);
        failing = true;
        LogRow own = row(12);
        cursor.begin(own.batch());
        cursor.committed(end(List.of(row(10), row(11)), own), Set.of(), () -> reported.add("ended"));
        cursor.ended(own.batch());
        assertThat(reported).containsExactly("lost from 11", "ended");
        assertThat(cursor.place(SLOT)).isEqualTo(own.place());
        failing = false;
        assertThat(cursor.report(List.of(own, row(13)))).isEqualTo(LogCursor.Progress.ALL);
        assertThat(reported).containsExactly("lost from 11", "ended", "changed 13");
    }
}
