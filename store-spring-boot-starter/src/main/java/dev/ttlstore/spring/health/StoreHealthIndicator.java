package dev.ttlstore.spring.health;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.SharedStats;
import dev.ttlstore.Store;
import dev.ttlstore.StoreActivity;
import dev.ttlstore.StoreStats;
import dev.ttlstore.Usage;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreUnavailableException;
import dev.ttlstore.expiry.ExpirySubscriber;
import dev.ttlstore.spring.backup.StoreBackupJob;
import dev.ttlstore.spring.purge.StorePurgeJob;

/**
 * Checks a store by one read and one write. It is down if one of them fails. Keys and values are never shown. These
 * details are present:
 *
 * <pre>{@code
 * @Bean
 * StoreHealthIndicator archiveHealth(@Qualifier("archive") Store archive) {
 *     return new StoreHealthIndicator(archive, List.of(), null, () -> null, () -> null);
 * }
 * }</pre>
 *
 * <ul>
 *   <li>Always: {@code path}, {@code engine}, the number of live {@code entries}, the number of {@code expired} ones
 *       that the next purge removes, {@code lastPurge}, and {@code walSize} in bytes.
 *   <li>In a shared database, instead of a path and a log: the id of this {@code node}, the number of
 *       {@code otherNodes} that listen, whether this one is {@code notified} of their commits, for how long it may not
 *       know some of them ({@code lag}), for how long the {@code oldestSnapshot} has kept the server from vacuuming,
 *       and the {@code hotRatio} of the updates ({@link SharedStats}).
 *   <li>If the purge is late by several intervals: {@code purgeOverdueBy}.
 *   <li>If the clock has leapt ahead by more than a day within the last day, or entries written meanwhile are not
 *       mended yet: {@code clockLead}.
 *   <li>With scheduled backups: the time of the {@code lastBackup}, why the last attempt failed
 *       ({@code backupFailure}), and {@code backupOverdueBy} if the next one is late.
 *   <li>With quotas: {@code scopesNearQuota}, the scopes that use 80 percent of a quota or more, in percent.
 *   <li>With expiry subscribers: the numbers of {@code pendingDeliveries} and of {@code deadLetters}.
 * </ul>
 *
 * <p>None of these details makes the store down. A store that is down shows the {@code error} and the details that it
 * can still read. If its database cannot be reached, it reads none, because each read would wait for the database. The
 * indicator logs the first failure, and then one each hour until the check succeeds.
 *
 * @since 0.1
 * @see dev.ttlstore.spring.endpoint.StoreEndpoint
 * @see dev.ttlstore.spring.metrics.StoreMetrics
 */
public final class StoreHealthIndicator extends AbstractHealthIndicator {

    private static final Logger log = LoggerFactory.getLogger(StoreHealthIndicator.class);

    private static final int OVERDUE_INTERVALS = 3;

    private static final long NEAR_PERCENT = 80;

    private final RetryLog retries = new RetryLog(log, "The store fails its health check");
    private final Store store;
    private final List<String> scopes;
    private final @Nullable Duration purgeInterval;
    private final Supplier<@Nullable StorePurgeJob> purgeJob;
    private final Supplier<@Nullable StoreBackupJob> backupJob;

    /**
     * Creates the indicator.
     *
     * @param store the store
     * @param scopes the namespaces of the scopes to compare with their quotas
     * @param purgeInterval the interval of the purge job, or null if there is none
     * @param purgeJob the purge job, or null if there is none
     * @param backupJob the job that makes backups, or null if there is none
     */
    public StoreHealthIndicator(
            Store store,
            Collection<String> scopes,
            @Nullable Duration purgeInterval,
            Supplier<@Nullable StorePurgeJob> purgeJob,
            Supplier<@Nullable StoreBackupJob> backupJob) {
        super("The store cannot be read or written");
        this.store = store;
        this.scopes = List.copyOf(scopes);
        this.purgeInterval = purgeInterval;
        this.purgeJob = purgeJob;
        this.backupJob = backupJob;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        StoreException failure = failureOf(store::check);
        if (failure == null) {
            failure = failureOf(() -> addDetails(builder.up()));
        } else if (!(failure
                instanceof StoreUnavailableException)) { // or each detail would wait for the database again
            StoreException unreadable = failureOf(() -> addDetails(builder)); // the size of the log may be the cause
            log.debug("The store is down, with the details that can be read", unreadable);
        }
        if (failure == null) {
            retries.succeeded("The store passes its health check again");
        } else {
            // Not as an exception, which would be logged with its stack trace at each check.
            builder.down().withDetail("error", failure.getClass().getName() + ": " + failure.getMessage());
            retries.failed(failure);
        }
    }

    private static @Nullable StoreException failureOf(Runnable work) {
        try {
            work.run();
            return null;
        } catch (StoreException e) {
            return e;
        }
    }

    private void addDetails(Health.Builder builder) {
        StoreStats stats = store.stats();
        if (stats == null || stats.engine() == null) { // a mock in a test, which answers null
            builder.unknown();
            return;
        }
        SharedStats shared = stats.shared();
        if (shared == null) {
            builder.withDetail(
                            "path",
                            stats.path() == null ? "in memory" : stats.path().toString())
                    .withDetail("walSize", stats.walBytes());
        } else {
            addShared(builder, shared);
        }
        builder.withDetail("engine", stats.engine())
                .withDetail("entries", stats.entries())
                .withDetail("expired", stats.expired());
        Duration clockLead = stats.clockLead();
        if (clockLead != null) {
            builder.withDetail("clockLead", clockLead.toString());
        }
        addPurge(builder, stats.purgeLag());
        addBackup(builder);
        addScopes(builder);
        addExpiries(builder, store.expirySubscribers());
    }

    private static void addShared(Health.Builder builder, SharedStats shared) {
        builder.withDetail("node", shared.node().toString())
                .withDetail("otherNodes", shared.otherNodes())
                .withDetail("notified", shared.notified())
                .withDetail("lag", shared.lag().toString())
                .withDetail("oldestSnapshot", shared.oldestSnapshot().toString());
        Double hotRatio = shared.hotRatio();
        if (hotRatio != null) {
            builder.withDetail("hotRatio", Math.round(hotRatio * 100) / 100.0);
        }
    }

    private void addPurge(Health.Builder builder, Duration lag) {
        StoreActivity activity = store.activity(); // null for a mock that stubs only its statistics
        Object lastPurge = activity == null ? null : activity.lastPurge();
        builder.withDetail("lastPurge", lastPurge == null ? "not since the start" : lastPurge.toString());
        Duration behind = longer(lag, sinceLastJob());
        if (purgeInterval != null && behind.compareTo(purgeInterval.multipliedBy(OVERDUE_INTERVALS)) > 0) {
            builder.withDetail("purgeOverdueBy", behind.minus(purgeInterval).toString());
        }
    }

    private void addBackup(Health.Builder builder) {
        StoreBackupJob job = backupJob.get();
        if (job == null) {
            return;
        }
        try {
            builder.withDetail(
                    "lastBackup",
                    job.last().map(backup -> backup.time().toString()).orElse("none"));
            Duration late = job.overdueBy();
            if (late.compareTo(job.interval()) > 0) {
                builder.withDetail(
                        "backupOverdueBy", late.truncatedTo(ChronoUnit.SECONDS).toString());
            }
        } catch (UncheckedIOException e) {
            builder.withDetail("lastBackup", "unknown: " + e.getMessage());
        }
        job.lastFailure().ifPresent(failure -> builder.withDetail("backupFailure", failure));
    }

    /**
     * Returns the time since the job's last run. The job may be overdue even if expired entries are removed without
     * it.
     */
    private Duration sinceLastJob() {
        StorePurgeJob job = purgeJob.get();
        return job == null ? Duration.ZERO : job.sinceLastEnd(store).truncatedTo(ChronoUnit.MILLIS);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private void addScopes(Health.Builder builder) {
        Map<String, String> near = new TreeMap<>();
        for (String namespace : scopes) {
            Scope scope = store.scope(namespace);
            long percent = scope == null ? 0 : percent(scope.quota(), scope.usage()); // null for a mock
            if (percent >= NEAR_PERCENT) {
                near.put(namespace, percent + "%");
            }
        }
        if (!near.isEmpty()) {
            builder.withDetail("scopesNearQuota", near);
        }
    }

    /** Returns the largest share of a quota that a scope uses, in percent. */
    private static long percent(@Nullable Quota quota, @Nullable Usage usage) {
        if (quota == null || usage == null) { // a mock as well
            return 0;
        }
        return Math.max(
                percent(usage.keys(), quota.maxKeys()),
                Math.max(percent(usage.groups(), quota.maxGroups()), percent(usage.bytes(), quota.maxBytes())));
    }

    private static long percent(long used, long limit) {
        return limit == 0 ? 0 : (long) (100.0 * used / limit);
    }

    private static void addExpiries(Health.Builder builder, List<ExpirySubscriber> subscribers) {
        if (!subscribers.isEmpty()) {
            builder.withDetail("pendingDeliveries", sum(subscribers, ExpirySubscriber::pending))
                    .withDetail("deadLetters", sum(subscribers, ExpirySubscriber::deadLetters));
        }
    }

    private static long sum(List<ExpirySubscriber> subscribers, ToLongFunction<ExpirySubscriber> number) {
        return subscribers.stream().mapToLong(number).sum();
    }
}
