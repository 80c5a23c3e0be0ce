package dev.ttlstore.internal.commit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.contract.Waiter;
import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.commit.FakeDatabase;
import dev.ttlstore.engine.commit.FakeEngine;
import dev.ttlstore.engine.commit.Rows;
import dev.ttlstore.engine.commit.Writes;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.internal.access.Mutation;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;

/** An engine that makes two commits at the same time. */
@Promise(11)
class CommitsInFlightTests {

    private final MovableClock clock = new MovableClock();
    private final FakeEngine engine = new FakeEngine(new FakeDatabase(clock, Integer.MAX_VALUE), 2);
    private final CommitPipeline pipeline = PipelineBuilder.plain(engine);
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger sent = new AtomicInteger();
    private final CountDownLatch release = new CountDownLatch(1);

    private void holdUpCommitsOf(String... keys) {
        List<String> held = List.of(keys);
        engine.onCommit(transaction -> {
            sent.incrementAndGet();
            if (transaction.stored().stream()
                    .anyMatch(change -> held.contains(change.key().key()))) {
                underWay.incrementAndGet();
                Threads.await(release);
                underWay.decrementAndGet();
            }
        });
    }

    private void awaitUnderWay(int count) {
        Awaitility.await().until(() -> underWay.get() == count);
    }

    private static Mutation<Long> put(String key, String value) {
        return Mutation.put(Rows.key(key), Rows.value(value), ExpiryRule.NEVER);
    }

    private Future<Boolean> start(String key) {
        return Threads.start(thread -> {
            Writes.submit(pipeline, put(key, "new"));
            return true;
        });
    }

    private String stored(String key) {
        return new String(requireNonNull(engine.rows().get(Rows.key(key))).storedValue(), StandardCharsets.UTF_8);
    }

    @Test
    void aWriteDoesNotWaitForOneThatIsUnderWay() {
        holdUpCommitsOf("slow");
        Future<Boolean> slow = start("slow");
        awaitUnderWay(1);
        Writes.submit(pipeline, put("a", "new"));
        Writes.submit(pipeline, put("b", "new"));
        assertThat(slow.isDone()).isFalse();
        release.countDown();
        assertThat(Threads.get(slow)).isTrue();
        assertThat(engine.commits()).isEqualTo(3);
    }

    @Test
    void writesThatWaitForAllThatAreUnderWayShareTheNextCommit() {
        holdUpCommitsOf("slow", "slower");
        List<Future<Boolean>> writes = new ArrayList<>(List.of(start("slow")));
        awaitUnderWay(1);
        writes.add(start("slower"));
        awaitUnderWay(2);
        List<Waiter<Long>> waiting = new ArrayList<>();
        for (String key : List.of("a", "b", "c", "d")) {
            waiting.add(Waiter.start(() -> Writes.submit(pipeline, put(key, "new"))));
        }
        assertThat(sent.get()).isEqualTo(2);
        release.countDown();
        writes.forEach(Threads::get);
        waiting.forEach(Waiter::get);
        assertThat(engine.rows()).hasSize(6);
        assertThat(engine.commits()).isBetween(3, 4);
    }

    /** As the slots of distributed tables. */
    @Test
    void commitsOfOnePartFollowEachOtherAndDoNotHoldUpThoseOfOtherParts() {
        engine.divide(request -> request.operations().get(0).key().key().charAt(0));
        holdUpCommitsOf("a slow");
        Future<Boolean> slow = start("a slow");
        awaitUnderWay(1);
        Writes.submit(pipeline, put("b", "new"));
        List<Waiter<Long>> waiting = new ArrayList<>();
        for (String key : List.of("a1", "a2", "a3")) {
            waiting.add(Waiter.start(() -> Writes.submit(pipeline, put(key, "new"))));
        }
        assertThat(sent.get()).isEqualTo(2);
        release.countDown();
        assertThat(Threads.get(slow)).isTrue();
        waiting.forEach(Waiter::get);
        assertThat(engine.commits()).isEqualTo(3);
    }

    @Test
    void asynchronousWritesOfOneKeyKeepTheirOrder() {
        holdUpCommitsOf("a");
        CompletableFuture<Long> first = Async.submit(pipeline, put("a", "first"));
        awaitUnderWay(1);
        CompletableFuture<Long> second = Async.submit(pipeline, put("a", "second"));
        Waiter<Long> third = Waiter.start(() -> Writes.submit(pipeline, put("b", "third")));
        assertThat(third.isDone()).isFalse(); // it comes after the second one, which waits for the first
        assertThat(sent.get()).isEqualTo(1);
        release.countDown();
        assertThat(third.get()).isNotNull();
        assertThat(second).succeedsWithin(Duration.ofSeconds(20));
        assertThat(first).succeedsWithin(Duration.ofSeconds(20));
        assertThat(stored("a")).isEqualTo("second");
    }

    /** As that of a bulk write in another thread, which then reads what it is to change. */
    @Test
    void aRequestThatDoesNothingIsCommittedAfterThoseBeforeIt() {
        holdUpCommitsOf("a");
        CompletableFuture<Long> first = Async.submit(pipeline, put("a", "first"));
        awaitUnderWay(1);
        Waiter<Boolean> turn = Waiter.start(() -> {
            Answer unused = pipeline.submit(Request.NOTHING);
            return engine.rows().containsKey(Rows.key("a"));
        });
        assertThat(turn.isDone()).isFalse();
        release.countDown();
        assertThat(turn.get()).isTrue();
        assertThat(first).succeedsWithin(Duration.ofSeconds(20));
    }

    @Test
    void asynchronousWritesOfOtherKeysNeedNoOrder() {
        holdUpCommitsOf("a");
        CompletableFuture<Long> first = Async.submit(pipeline, put("a", "first"));
        awaitUnderWay(1);
        Writes.submit(pipeline, put("b", "second"));
        assertThat(first).isNotDone();
        release.countDown();
        assertThat(first).succeedsWithin(Duration.ofSeconds(20));
    }

    @Test
    void aTransactionIsAlone() {
        holdUpCommitsOf("slow");
        Future<Boolean> slow = start("slow");
        awaitUnderWay(1);
        Waiter<Boolean> transaction = Waiter.start(() -> pipeline.transact(view -> underWay.get() == 0));
        assertThat(transaction.isDone()).isFalse();
        Waiter<Long> later = Waiter.start(() -> Writes.submit(pipeline, put("later", "new")));
        assertThat(later.isDone()).isFalse();
        release.countDown();
        assertThat(Threads.get(slow)).isTrue();
        assertThat(transaction.get()).isTrue();
        assertThat(later.get()).isNotNull();
    }

    @Test
    void aCommandIsAlone() {
        holdUpCommitsOf("slow");
        Future<Boolean> slow = start("slow");
        awaitUnderWay(1);
        Waiter<Long> cleared = Waiter.start(
                () -> pipeline.clear(GroupRange.only(Rows.key("slow").group())));
        assertThat(cleared.isDone()).isFalse();
        release.countDown();
        assertThat(Threads.get(slow)).isTrue();
        assertThat(cleared.get()).isEqualTo(1);
    }

    @Test
    void aStoreThatClosesWaitsForAllCommits() {
        holdUpCommitsOf("slow", "slower");
        Future<Boolean> slow = start("slow");
        awaitUnderWay(1);
        Future<Boolean> slower = start("slower");
        awaitUnderWay(2);
        Waiter<Boolean> closed = Waiter.start(() -> {
            pipeline.close(Deadline.in(Duration.ofMinutes(1)));
            return true;
        });
        assertThat(closed.isDone()).isFalse();
        release.countDown();
        assertThat(closed.get()).isTrue();
        assertThat(Threads.get(slow)).isTrue();
        assertThat(Threads.get(slower)).isTrue();
        assertThat(engine.rows()).hasSize(2);
    }

    /** Counts what is lost or done twice, and whether anybody waits in vain for the lead. */
    @Test
    void manyCallersOfAllKindsLoseNothing() {
        loseNothing();
    }

    @Test
    void manyCallersOfAFewPartsLoseNothing() {
        engine.divide(request -> request.operations().get(0).key().key().hashCode() & 3);
        loseNothing();
    }

    private void loseNothing() {
        int callers = 8;
        int rounds = 200;
        List<Future<Boolean>> all = new ArrayList<>();
        for (int caller = 0; caller < callers; caller++) {
            String own = "own" + caller;
            all.add(Threads.start(thread -> {
                for (int i = 1; i <= rounds; i++) {
                    write(own, i);
                }
                return true;
            }));
        }
        all.forEach(Threads::get);
        for (int caller = 0; caller < callers; caller++) {
            assertThat(stored("own" + caller)).isEqualTo(Integer.toString(rounds));
        }
    }

    private void write(String key, int round) {
        String value = Integer.toString(round);
        switch (ThreadLocalRandom.current().nextInt(8)) {
            case 0 -> pipeline.transact(view -> Writes.apply(view, put(key, value)));
            case 1 -> pipeline.clear(GroupRange.only("none"));
            case 2, 3, 4 -> {
                CompletableFuture<Long> before = Async.submit(pipeline, put(key, "before " + value));
                assertThat(Async.submit(pipeline, put(key, value)).join()).isGreaterThan(before.join());
                return;
            }
            default -> {
                // Only what comes below.
            }
        }
        Writes.submit(pipeline, put(key, value));
        assertThat(stored(key)).isEqualTo(value);
    }
}
