package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Command;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Engine;
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
        queue.moveTo(batch, submission -> false, true);
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
        assertThat(withdrawn.claim()).isTrue();
        List<Submission<?>> batch = new ArrayList<>();
        queue.moveTo(batch, submission -> false, false);
        assertThat(batch).isEmpty();
        assertThat(next()).hasSize(1);
    }

    /** Otherwise callers of several parts would hardly share commits. */
    @Test
    @Promise(11)
    void requestsOfOnePartShareACommitAlthoughOthersAreBetweenThem() {
        List<Submission<?>> all = queued(put("a", 0), put("b", 1), put("c", 0), put("d", 1), put("e", 2));
        assertThat(next()).containsExactly(all.get(0), all.get(2));
        assertThat(next()).containsExactly(all.get(1), all.get(3));
        assertThat(next()).containsExactly(all.get(4));
        assertThat(queue.size()).isZero();
    }

    /** It may be about the same rows. */
    @Test
    void noRequestOvertakesOneAboutSeveralParts() {
        List<Submission<?>> all = queued(put("a", 0), put("b", Engine.SEVERAL_PARTS), put("c", 0));
        assertThat(next()).containsExactly(all.get(0));
        assertThat(next()).containsExactly(all.get(1));
        assertThat(next()).containsExactly(all.get(2));
    }

    @Test
    void noRequestOvertakesOneOfItsPartThatHasToWait() {
        List<Submission<?>> all = queued(put("a", 0), put("b", 1), put("c", 0), put("d", 0));
        List<Submission<?>> batch = new ArrayList<>();
        queue.moveTo(batch, submission -> submission == all.get(2), true);
        assertThat(batch).containsExactly(all.get(0));
        assertThat(queue.size()).isEqualTo(3);
    }

    private List<Submission<?>> queued(Submission<?>... submissions) {
        List<Submission<?>> all = List.of(submissions);
        all.forEach(queue::add);
        return all;
    }

    private static Submission<?> put(String key, int part) {
        Submission<?> submission = Submission.of(
                Mutation.put(Rows.key(key), new byte[1], ExpiryRule.NEVER).request());
        submission.setPart(part);
        return submission;
    }

    @Test
    @Promise(24)
    void whatPutsSeveralValuesCountsForAllOfThem() {
        byte[] half = new byte[(int) (SubmissionQueue.MAX_BYTES / 2)];
        Mutation<Long> two = Writes.putAll(Map.of(Rows.key("a"), half, Rows.key("b"), half), ExpiryRule.NEVER);
        List<Mutation<?>> all = List.of(
                two,
                Mutation.put(Rows.key("a"), Condition.value(half), half, ExpiryRule.NEVER),
                Writes.merge(Rows.key("a"), value -> value, new byte[2 * half.length], ExpiryRule.NEVER));
        assertThat(all)
                .allSatisfy(mutation -> assertThat(mutation.request().bytes()).isEqualTo(SubmissionQueue.MAX_BYTES));
    }
}
