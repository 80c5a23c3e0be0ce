package dev.ttlstore.internal.delivery;

import java.time.Duration;
import java.util.List;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.internal.base.Completions;
import dev.ttlstore.internal.base.Deadline;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.commit.QuotaGuards;
import dev.ttlstore.internal.stats.Meter;
import dev.ttlstore.internal.watch.Dispatchers;
import dev.ttlstore.sqlite.Sqlite;

/** A pipeline to an empty store in memory. */
final class DeliveryPipeline implements AutoCloseable {

    private final Engine engine = Sqlite.inMemory().open(new EngineSettings(false, Duration.ZERO, new MovableClock()));
    private final CommitPipeline pipeline = new CommitPipeline(
            engine,
            RowCache.of(0),
            Dispatchers.plain(),
            new QuotaGuards(),
            List.of(),
            new Meter(List.of()),
            new Completions(null));

    CommitPipeline get() {
        return pipeline;
    }

    StoreClock clock() {
        return engine.clock();
    }

    @Override
    public void close() {
        pipeline.close(Deadline.in(Duration.ofSeconds(30)), IllegalStateException::new);
    }
}
