package dev.ttlstore.internal.commit;

import java.util.List;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.internal.base.StoreClock;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.stats.Meter;
import dev.ttlstore.internal.watch.EventDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Who is told of expiries is who is in the file, whatever becomes of a commit. */
@Promise(17)
class SubscriberCommitTests {

    private static final Subscriber MAIL = new Subscriber("mail", GroupRange.only("group"));

    private final FakeEngine engine = new FakeEngine();
    private final Subscribers subscribers = new Subscribers(List.of());
    private final CommitPipeline pipeline = new CommitPipeline(
            engine,
            RowCache.of(0),
            new StoreClock(new MovableClock(), 0),
            new EventDispatcher(),
            new UsageLedger(),
            false,
            subscribers,
            new Meter(List.of()));

    @Test
    void aSubscriberIsThereOnceItIsCommitted() {
        engine.onCommit(transaction -> assertThat(subscribers.all()).isEmpty());
        pipeline.ranges().subscribe(MAIL);
        assertThat(subscribers.all()).containsExactly(MAIL);
    }

    @Test
    void aSubscriberThatCannotBeAddedIsNotThere() {
        failCommits();
        assertThatIllegalStateException().isThrownBy(() -> pipeline.ranges().subscribe(MAIL));
        assertThat(subscribers.all()).isEmpty();
    }

    @Test
    void aSubscriberThatCannotBeRemovedIsThereStill() {
        pipeline.ranges().subscribe(MAIL);
        failCommits();
        assertThatIllegalStateException().isThrownBy(() -> pipeline.ranges().unsubscribe("mail"));
        assertThat(subscribers.all()).containsExactly(MAIL);
        engine.onCommit(transaction -> {});
        pipeline.ranges().unsubscribe("mail");
        assertThat(subscribers.all()).isEmpty();
    }

    private void failCommits() {
        engine.onCommit(transaction -> {
            throw new IllegalStateException("on purpose");
        });
    }
}
