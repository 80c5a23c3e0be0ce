package dev.ttlstore.spring.metrics;

import java.util.concurrent.TimeUnit;

import dev.ttlstore.event.StoreObserver;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/** Meters for the duration of a store's work and the size of its batches. Thread-safe. */
final class WorkMeters implements StoreObserver {

    private final Timer writes;
    private final Timer commits;
    private final DistributionSummary commitSize;
    private final Timer purges;
    private final DistributionSummary purgeSize;

    WorkMeters(MeterRegistry registry, Tags tags) {
        writes = timer(registry, tags, "store.writes", "Calls that write, until their listeners have returned");
        commits = timer(registry, tags, "store.commits", "Commits, which concurrent calls share");
        commitSize = summary(registry, tags, "store.commit.size", "Calls that share a commit");
        purges = timer(registry, tags, "store.purges", "Purges of expired entries");
        purgeSize = summary(registry, tags, "store.purge.size", "Expired entries that a purge removes");
    }

    private static Timer timer(MeterRegistry registry, Tags tags, String name, String description) {
        return Timer.builder(name).description(description).tags(tags).register(registry);
    }

    private static DistributionSummary summary(MeterRegistry registry, Tags tags, String name, String description) {
        return DistributionSummary.builder(name)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    @Override
    public void written(long nanos) {
        writes.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void committed(int served, long nanos) {
        commits.record(nanos, TimeUnit.NANOSECONDS);
        commitSize.record(served);
    }

    @Override
    public void purged(long entries, long nanos) {
        purges.record(nanos, TimeUnit.NANOSECONDS);
        purgeSize.record((double) entries);
    }
}
