package dev.ttlstore.spring.health;

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
import dev.ttlstore.Store;
import dev.ttlstore.StoreActivity;
import dev.ttlstore.StoreStats;
import dev.ttlstore.Usage;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.expiry.ExpirySubscriber;
import dev.ttlstore.spring.purge.StorePurgeJob;

/**
 * Reads and writes a store once, and tells where it is and how much it holds: {@code path}, {@code engine}, {@code entries}
 * that live, {@code expired} ones which the next purge removes, {@code lastPurge} and {@code walSize} in bytes. Where the purge
 * is late by several of its intervals there is {@code purgeOverdueBy}; where scopes take four fifths of a quota or more they
 * are in {@code scopesNearQuota}, in percent; and where there are subscribers to expiries it tells how many expiries are
 * {@code pending} and how many have become {@code deadLetters}. None of these is a reason to be down. A store that fails its
 * check is down with the {@code error}, and with those of the details that can be read. Never a key or a value.
 */
public final class StoreHealthIndicator extends AbstractHealthIndicator {

    private static final Logger log = LoggerFactory.getLogger(StoreHealthIndicator.class);

    private static final int OVERDUE_INTERVALS = 3;

    private static final long NEAR_PERCENT = 80;

    private final Store store;
    private final List<String> scopes;
    private final @Nullable Duration purgeInterval;
    private final Supplier<@Nullable StorePurgeJob> purgeJob;

    /**
     * Creates the indicator.
     *
     * @param store the store to look at
     * @param scopes the namespaces whose usage is compared with their quota
     * @param purgeInterval how often a purge is to run; null if nobody has said
     * @param purgeJob the job that runs it; null if there is none
     */
    public StoreHealthIndicator(
            Store store,
            Collection<String> scopes,
            @Nullable Duration purgeInterval,
            Supplier<@Nullable StorePurgeJob> purgeJob) {
        super("The store cannot be read or written");
        this.store = store;
        this.scopes = List.copyOf(scopes);
        this.purgeInterval = purgeInterval;
        this.purgeJob = purgeJob;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        try {
            store.check();
        } catch (StoreException e) {
            builder.down(e);
            addDetailsIfReadable(builder);
            return;
        }
        builder.up();
        addDetails(builder);
    }

    /** A store that fails its check may answer all the same, as with a log that only grows, whose size is wanted then. */
    private void addDetailsIfReadable(Health.Builder builder) {
        try {
            addDetails(builder);
        } catch (StoreException e) {
            log.debug("The store is down, and its details cannot be read either", e);
        }
    }

    private void addDetails(Health.Builder builder) {
        StoreStats stats = store.stats();
        if (stats == null || stats.engine() == null) { // the store is a mock of a test, which answers with nothing
            builder.unknown();
            return;
        }
        builder.withDetail(
                        "path",
                        stats.path() == null ? "in memory" : stats.path().toString())
                .withDetail("engine", stats.engine())
                .withDetail("entries", stats.entries())
                .withDetail("expired", stats.expired())
                .withDetail("walSize", stats.walBytes());
        addPurge(builder, stats.purgeLag());
        addScopes(builder);
        addExpiries(builder, store.expirySubscribers());
    }

    private void addPurge(Health.Builder builder, Duration lag) {
        StoreActivity activity = store.activity(); // null of a mock, of which the test has said more than of others
        Object lastPurge = activity == null ? null : activity.lastPurge();
        builder.withDetail("lastPurge", lastPurge == null ? "not since the start" : lastPurge.toString());
        Duration behind = longer(lag, sinceLastJob());
        if (purgeInterval != null && behind.compareTo(purgeInterval.multipliedBy(OVERDUE_INTERVALS)) > 0) {
            builder.withDetail("purgeOverdueBy", behind.minus(purgeInterval).toString());
        }
    }

    /** Expired entries may go without the job, and it is overdue all the same. */
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
            long percent = scope == null ? 0 : percent(scope.quota(), scope.usage()); // null of a mock
            if (percent >= NEAR_PERCENT) {
                near.put(namespace, percent + "%");
            }
        }
        if (!near.isEmpty()) {
            builder.withDetail("scopesNearQuota", near);
        }
    }

    /** How much of its quota a scope takes, of what it has least left of. */
    private static long percent(@Nullable Quota quota, @Nullable Usage usage) {
        if (quota == null || usage == null) { // of a mock, too
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
            builder.withDetail("pending", sum(subscribers, ExpirySubscriber::pending))
                    .withDetail("deadLetters", sum(subscribers, ExpirySubscriber::deadLetters));
        }
    }

    private static long sum(List<ExpirySubscriber> subscribers, ToLongFunction<ExpirySubscriber> number) {
        return subscribers.stream().mapToLong(number).sum();
    }
}
