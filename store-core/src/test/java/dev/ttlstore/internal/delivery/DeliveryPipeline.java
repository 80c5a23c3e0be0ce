package dev.ttlstore.internal.delivery;

import java.time.Duration;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.commit.PipelineBuilder;
import dev.ttlstore.sqlite.Sqlite;

/** A pipeline to an empty store in memory. */
final class DeliveryPipeline implements AutoCloseable {

    private final Engine engine = Sqlite.inMemory().open(new EngineSettings(false, Duration.ZERO, new MovableClock()));
    private final CommitPipeline pipeline = PipelineBuilder.plain(engine);

    CommitPipeline get() {
        return pipeline;
    }

    StoreClock clock() {
        return engine.clock();
    }

    @Override
    public void close() {
        pipeline.close(Deadline.in(Duration.ofSeconds(30)));
    }
}
