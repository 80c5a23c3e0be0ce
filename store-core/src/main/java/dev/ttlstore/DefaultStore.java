package dev.ttlstore;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.commit.CommitPipeline;
import dev.ttlstore.commit.EventDispatcher;
import dev.ttlstore.commit.Mutations;
import dev.ttlstore.commit.Purge;
import dev.ttlstore.commit.PurgeSchedule;
import dev.ttlstore.commit.StoreClock;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineInfo;
import dev.ttlstore.engine.Totals;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Subscription;

/** Puts the parts of a store together: an engine, its clock, the way in for writes, events and purge. */
final class DefaultStore implements Store {

    private static final int NAMES_PER_PAGE = 256;

    private final Engine engine;
    private final StoreClock clock;
    private final Codecs codecs;
    private final int maxValueSize;
    private final EventDispatcher dispatcher = new EventDispatcher();
    private final CommitPipeline pipeline;
    private final Purge purge;
    private final @Nullable PurgeSchedule schedule;
    private final AtomicBoolean closed = new AtomicBoolean();

    DefaultStore(Engine engine, InstantSource source, Codecs codecs, int maxValueSize, Duration purgeInterval) {
        this.engine = engine;
        this.clock = new StoreClock(source, engine.mark().time());
        this.codecs = codecs;
        this.maxValueSize = maxValueSize;
        this.pipeline = new CommitPipeline(engine, clock, dispatcher);
        this.purge = new Purge(pipeline, clock);
        this.schedule = purgeInterval.isZero() ? null : new PurgeSchedule(purge, purgeInterval);
    }

    @Override
    public TextGroup group(String name) {
        requireOpen();
        return new DefaultTextGroup(Utf8.requireName(name, "group"), this);
    }

    @Override
    public <V> Group<V> group(String name, Class<V> type) {
        Objects.requireNonNull(type, "'type' must not be null");
        return group(name, codecs.require(type));
    }

    @Override
    public <V> Group<V> group(String name, Codec<V> codec) {
        requireOpen();
        Objects.requireNonNull(codec, "'codec' must not be null");
        return new DefaultGroup<>(Utf8.requireName(name, "group"), codec, this);
    }

    @Override
    public Stream<String> groups() {
        requireOpen();
        return Pages.stream(last -> {
            List<String> page = engine.groups(last == null ? "" : last, clock.now(), NAMES_PER_PAGE);
            return new Pages.Page<>(page, page.size() == NAMES_PER_PAGE);
        });
    }

    @Override
    public long count() {
        return engine.totals(clock.now()).live();
    }

    @Override
    public Subscription onChange(StoreListener listener) {
        requireOpen();
        return dispatcher.subscribe(Objects.requireNonNull(listener, "'listener' must not be null"));
    }

    @Override
    public long purgeExpired() {
        return purge.run();
    }

    @Override
    public StoreStats stats() {
        EngineInfo info = engine.info();
        Totals totals = engine.totals(clock.now());
        return new StoreStats(info.name(), info.path(), totals.live(), totals.expired(), dispatcher.failures());
    }

    @Override
    public void check() {
        engine.check();
        pipeline.submit(Mutations.touch());
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        if (schedule != null) {
            schedule.stop();
        }
        pipeline.close();
        if (schedule != null && !dispatcher.isTelling()) {
            schedule.awaitStopped();
        }
    }

    Engine engine() {
        return engine;
    }

    StoreClock clock() {
        return clock;
    }

    CommitPipeline pipeline() {
        return pipeline;
    }

    int maxValueSize() {
        return maxValueSize;
    }

    private void requireOpen() {
        if (closed.get()) {
            throw new StoreClosedException();
        }
    }
}
