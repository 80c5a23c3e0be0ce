package dev.ttlstore.spring.metrics;

import java.util.concurrent.TimeUnit;

import dev.ttlstore.event.StoreObserver;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/** Meters of how long a store's work takes, and of how much is done at once. Thread-safe. */
final class WorkMeters implements StoreObserver {

    private final Timer writes;
    private final Timer commits;
    private final DistributionSummary commitSize;
    private final Timer purges;
    private final DistributionSummary purgeSize;

    WorkMeters(MeterRegistry registry, Tags tags) {
        writes = Timer.builder("store.writes")
                .description("Calls that write, until their listeners have been told")
                .tags(tags)
                .register(registry);
        commits = Timer.builder("store.commits")
                .description("Commits, which calls at the same time share")
                .tags(tags)
                .register(registry);
        commitSize = DistributionSummary.builder("store.commit.size")
                .description("Calls that share a commit")
                .tags(tags)
                .register(registry);
        purges = Timer.builder("store.purges")
                .description("Purges of expired entries")
                .tags(tags)
                .register(registry);
        purgeSize = DistributionSummary.builder("store.purge.size")
                .description("Expired entries that a purge removes")
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
