package dev.ttlstore.delivery;

import java.time.Duration;
import java.util.List;

import dev.ttlstore.commit.CommitPipeline;
import dev.ttlstore.commit.Deadline;
import dev.ttlstore.commit.EventDispatcher;
import dev.ttlstore.commit.Meter;
import dev.ttlstore.commit.RowCache;
import dev.ttlstore.commit.StoreClock;
import dev.ttlstore.commit.Subscribers;
import dev.ttlstore.commit.UsageLedger;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.sqlite.SqliteEngineProvider;

/** A pipeline to an empty store in memory. */
final class DeliveryPipeline implements AutoCloseable {

    private final StoreClock clock = new StoreClock(new MovableClock(), 0);
    private final Subscribers subscribers = new Subscribers(List.of());
    private final CommitPipeline pipeline = new CommitPipeline(
            new SqliteEngineProvider().open(new EngineSettings(null, false, Duration.ZERO)),
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
