package dev.ttlstore.internal.delivery;

import java.time.Duration;
import java.util.List;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.internal.base.Deadline;
import dev.ttlstore.internal.base.StoreClock;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.commit.Subscribers;
import dev.ttlstore.internal.commit.UsageLedger;
import dev.ttlstore.internal.stats.Meter;
import dev.ttlstore.internal.watch.EventDispatcher;
import dev.ttlstore.sqlite.Sqlite;

/** A pipeline to an empty store in memory. */
final class DeliveryPipeline implements AutoCloseable {

    private final StoreClock clock = new StoreClock(new MovableClock(), 0);
    private final Subscribers subscribers = new Subscribers(List.of());
    private final CommitPipeline pipeline = new CommitPipeline(
            Sqlite.inMemory().open(new EngineSettings(false, Duration.ZERO)),
            RowCache.of(0),
            clock,
            new EventDispatcher(),
            new UsageLedger(),
            false,
            subscribers,
            new Meter(List.of()));

    CommitPipeline get() {
        return pipeline;
    }

    StoreClock clock() {
        return clock;
    }

    Subscribers subscribers() {
        return subscribers;
    }

    @Override
    public void close() {
        pipeline.close(Deadline.in(Duration.ofSeconds(30)), IllegalStateException::new);
    }
}
