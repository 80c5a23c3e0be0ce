package dev.ttlstore.internal.commit;

import java.util.List;

import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Quotas;
import dev.ttlstore.internal.base.Completions;
import dev.ttlstore.internal.base.Meter;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.watch.Dispatchers;
import dev.ttlstore.internal.watch.EventDispatcher;

/** Builds commit pipelines for tests: without a cache, quotas and retained groups, and with parts of their own, unless set. */
public final class PipelineBuilder {

    private final Engine engine;
    private RowCache cache = RowCache.of(0, false);
    private EventDispatcher dispatcher = Dispatchers.plain();
    private Quotas quotas = new Quotas();
    private List<GroupRange> retained = List.of();
    private Meter meter = new Meter(List.of());

    private PipelineBuilder(Engine engine) {
        this.engine = engine;
    }

    public static PipelineBuilder on(Engine engine) {
        return new PipelineBuilder(engine);
    }

    /** A pipeline with nothing but an engine. */
    public static CommitPipeline plain(Engine engine) {
        return on(engine).build();
    }

    public PipelineBuilder dispatcher(EventDispatcher events) {
        dispatcher = events;
        return this;
    }

    public PipelineBuilder meter(Meter counting) {
        meter = counting;
        return this;
    }

    PipelineBuilder cache(RowCache rows) {
        cache = rows;
        return this;
    }

    PipelineBuilder quotas(Quotas guards) {
        quotas = guards;
        return this;
    }

    PipelineBuilder retained(GroupRange... groups) {
        retained = List.of(groups);
        return this;
    }

    public CommitPipeline build() {
        CommitPipeline pipeline =
                new CommitPipeline(engine, cache, dispatcher, quotas, retained, meter, new Completions(null));
        pipeline.start(CommitListener.NONE);
        return pipeline;
    }
}
