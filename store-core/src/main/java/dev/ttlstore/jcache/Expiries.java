package dev.ttlstore.jcache;

import java.util.function.Supplier;

import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.Expiry;
import dev.ttlstore.engine.support.SafeLog;

/** The expiries that a cache's policy asks for. If the policy throws, an entry keeps the expiry that it has. */
final class Expiries {

    private static final Logger log = LoggerFactory.getLogger(Expiries.class);

    /** Some 100 million years, which a store can still count. */
    private static final long FOR_EVER_DAYS = 36_500_000_000L;

    private final ExpiryPolicy policy;

    Expiries(StoreConfiguration<?, ?> configuration) {
        this.policy = configuration.getExpiryPolicyFactory().create();
    }

    /** Tests whether the policy of a configuration lets no entry expire. */
    static boolean areEternal(StoreConfiguration<?, ?> configuration) {
        ExpiryPolicy policy = configuration.getExpiryPolicyFactory().create();
        try {
            return isEternal(policy.getExpiryForCreation())
                    && isEternal(policy.getExpiryForUpdate())
                    && isEternal(policy.getExpiryForAccess());
        } finally {
            Failures.closeQuietly(policy);
        }
    }

    /** Tests an answer of a policy; null leaves the expiry as it is. */
    private static boolean isEternal(@Nullable Duration duration) {
        return duration == null || duration.isEternal();
    }

    void close() {
        Failures.closeQuietly(policy);
    }

    /** Returns the expiry of a new entry; null if it is not to be stored at all, because it would expire at once. */
    @Nullable
    Expiry ofCreation() {
        Duration duration = ask(policy::getExpiryForCreation);
        if (duration == null) {
            return Expiry.never();
        }
        return duration.isZero() ? null : expiry(duration);
    }

    /** Returns the expiry of an entry that gets another value. */
    Expiry ofUpdate() {
        Duration duration = ask(policy::getExpiryForUpdate);
        return duration == null ? Expiry.keep() : expiry(duration);
    }

    /** Returns the new expiry of an entry that was read; null if it stays. */
    @Nullable
    Expiry ofAccess() {
        Duration duration = ask(policy::getExpiryForAccess);
        return duration == null ? null : expiry(duration);
    }

    private static @Nullable Duration ask(Supplier<@Nullable Duration> question) {
        try {
            return question.get();
        } catch (RuntimeException e) {
            SafeLog.ofApplication(log, "An expiry policy threw an exception, so the default applies")
                    .warn(e);
            return null;
        }
    }

    private static Expiry expiry(Duration duration) {
        if (duration.isEternal()) {
            return Expiry.never();
        } else if (duration.isZero()) {
            return Expiry.now();
        }
        long days = duration.getTimeUnit().toDays(duration.getDurationAmount());
        return days > FOR_EVER_DAYS
                ? Expiry.never()
                : Expiry.after(java.time.Duration.of(
                        duration.getDurationAmount(), duration.getTimeUnit().toChronoUnit()));
    }
}
