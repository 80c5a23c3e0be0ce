package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Which submissions share a commit. */
class SubmissionQueueTests {

    private final SubmissionQueue queue = new SubmissionQueue();

    private List<Submission<?>> next() {
        List<Submission<?>> batch = new ArrayList<>();
        queue.moveTo(batch);
        return batch;
    }

    @Test
    @Promise(24)
    void noMoreTasksShareACommitOnceTheirValuesTakeMuchMemory() {
        byte[] large = new byte[(int) (SubmissionQueue.MAX_BYTES / 4)];
        for (int i = 0; i < 10; i++) {
            queue.add(Submission.of(Mutations.put(Rows.key("key" + i), large, ExpiryTime.NEVER)));
        }
        assertThat(next()).hasSize(4);
        assertThat(next()).hasSize(4);
        assertThat(next()).hasSize(2);
    }

    @Test
    @Promise(24)
    void whatPutsSeveralValuesCountsForAllOfThem() {
        byte[] half = new byte[(int) (SubmissionQueue.MAX_BYTES / 2)];
        Mutation<Long> one = Mutations.put(Rows.key("one"), half, ExpiryTime.NEVER);
        Mutation<Long> two = Mutations.putAll(Map.of(Rows.key("a"), half, Rows.key("b"), half), ExpiryTime.NEVER);
        List<Mutation<?>> all = List.of(
                two,
                Mutations.each(List.of(one, one)),
                Mutations.map(two, puts -> puts),
                Mutations.supposing(two, Rows.key("a"), null),
                Mutations.replace(Rows.key("a"), value -> true, half, half, ExpiryTime.NEVER),
                Mutations.decide(Rows.key("a"), SubmissionQueue.MAX_BYTES, row -> new Attempt<>(null, true)));
        assertThat(all).allSatisfy(mutation -> assertThat(mutation.bytes()).isEqualTo(SubmissionQueue.MAX_BYTES));
    }
}
