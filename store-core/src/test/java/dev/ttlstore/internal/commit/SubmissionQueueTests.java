package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Command;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.commit.Rows;
import dev.ttlstore.engine.commit.Writes;
import dev.ttlstore.internal.access.Mutation;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Which submissions share a commit. */
class SubmissionQueueTests {

    private final SubmissionQueue queue = new SubmissionQueue();

    private List<Submission<?>> next() {
        List<Submission<?>> batch = new ArrayList<>();
        queue.moveTo(batch, submission -> false, (first, next) -> true, true);
        return batch;
    }

    @Test
    @Promise(24)
    void noMoreTasksShareACommitOnceTheirValuesTakeMuchMemory() {
        byte[] large = new byte[(int) (SubmissionQueue.MAX_BYTES / 4)];
        for (int i = 0; i < 10; i++) {
            queue.add(Submission.of(
                    Mutation.put(Rows.key("key" + i), large, ExpiryRule.NEVER).request()));
        }
        assertThat(next()).hasSize(4);
        assertThat(next()).hasSize(4);
        assertThat(next()).hasSize(2);
    }

    /** As when the request before it was withdrawn after its commit had got a writer. */
    @Test
    void aCommandIsTakenOnlyIfNoOtherCommitIsUnderWay() {
        Submission<?> withdrawn = Submission.of(
                Mutation.put(Rows.key("a"), new byte[1], ExpiryRule.NEVER).request());
        queue.add(withdrawn);
        queue.add(Submission.of(new Command.CountUsage("")));
        assertThat(withdrawn.withdraw()).isTrue();
        List<Submission<?>> batch = new ArrayList<>();
        queue.moveTo(batch, submission -> false, (first, next) -> true, false);
        assertThat(batch).isEmpty();
        assertThat(next()).hasSize(1);
    }

    /** Later ones wait behind it, too, so that no request overtakes another. */
    @Test
    void aRequestThatMayNotShareTheCommitWaitsForTheNextOne() {
        List<Submission<?>> submissions = List.of(put("a1"), put("a2"), put("b1"), put("a3"));
        submissions.forEach(queue::add);
        assertThat(nextOfOneLetter()).isEqualTo(submissions.subList(0, 2));
        assertThat(nextOfOneLetter()).isEqualTo(submissions.subList(2, 3));
        assertThat(nextOfOneLetter()).isEqualTo(submissions.subList(3, 4));
    }

    private static Submission<?> put(String key) {
        return Submission.of(
                Mutation.put(Rows.key(key), new byte[1], ExpiryRule.NEVER).request());
    }

    private List<Submission<?>> nextOfOneLetter() {
        List<Submission<?>> batch = new ArrayList<>();
        queue.moveTo(batch, submission -> false, (first, next) -> letter(first) == letter(next), true);
        return batch;
    }

    private static char letter(Submission<?> submission) {
        return submission.request().operations().get(0).key().key().charAt(0);
    }

    @Test
    @Promise(24)
    void whatPutsSeveralValuesCountsForAllOfThem() {
        byte[] half = new byte[(int) (SubmissionQueue.MAX_BYTES / 2)];
        Mutation<Long> two = Mutation.putAll(Map.of(Rows.key("a"), half, Rows.key("b"), half), ExpiryRule.NEVER);
        List<Mutation<?>> all = List.of(
                two,
                Mutation.put(Rows.key("a"), Condition.value(half), half, ExpiryRule.NEVER),
                Writes.merge(Rows.key("a"), value -> value, new byte[2 * half.length], ExpiryRule.NEVER));
        assertThat(all)
                .allSatisfy(mutation -> assertThat(mutation.request().bytes()).isEqualTo(SubmissionQueue.MAX_BYTES));
    }
}
