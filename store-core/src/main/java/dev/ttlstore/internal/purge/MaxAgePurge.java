package dev.ttlstore.internal.purge;

import java.time.Duration;
import java.util.Map;

import dev.ttlstore.GroupSettings;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.exception.Printable;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.commit.PagedChange;

/**
 * Deletes live entries that have reached the maximum age of their group, in small commits. These groups have an age
 * index, so the cost depends on the number of deleted entries.
 *
 * @param reads finds old entries
 * @param pipeline deletes them
 * @param clock the store's time
 * @param groups the settings of groups, by full name
 */
public record MaxAgePurge(Reads reads, CommitPipeline pipeline, StoreClock clock, Map<String, GroupSettings> groups) {

    private static final int ROWS_PER_COMMIT = 256;

    /**
     * Deletes the entries that have reached their maximum age by now. An interrupt of the thread ends it after the
     * current commit.
     *
     * @param range the groups to look at
     */
    void run(GroupRange range) {
        groups.forEach((group, settings) -> {
            Duration maxAge = settings.maxAge();
            if (maxAge != null
                    && range.contains(group)
                    && !Thread.currentThread().isInterrupted()) {
                long unused = sweep(group, maxAge);
            }
        });
    }

    private long sweep(String group, Duration maxAge) {
        long latest = Millis.ago(maxAge, "maxAge", clock.now());
        Scan scan = Scan.created(group, latest + 1, ROWS_PER_COMMIT);
        return PagedChange.run(
                "Removing entries of the maximum age in group '" + Printable.of(group) + "'",
                last -> reads.page(scan.after(last)),
                row -> true,
                Long.MAX_VALUE,
                Thread.currentThread()::isInterrupted,
                keys -> pipeline.writes()
                        .submit(Request.each(keys, Condition.createdBy(latest), Effect.DELETE))
                        .applied());
    }
}
