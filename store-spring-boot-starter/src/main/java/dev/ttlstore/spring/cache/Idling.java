package dev.ttlstore.spring.cache;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;

/**
 * How reads extend the entries of a cache. One in ten of the time to idle at most does, so that frequent reads do not write each time: an
 * entry ends up to a tenth of the time early.
 *
 * @param timeToIdle how long an entry lives that is not read
 * @param ttl how long an entry lives at most after it was put; zero for ever
 */
record Idling(Duration timeToIdle, Duration ttl) {

    private static final int EXTENSIONS = 10;

    /** Returns the reads' extensions; null if they extend nothing. */
    static @Nullable Idling of(StoreCacheSettings settings) {
        return settings.timeToIdle().isZero() ? null : new Idling(settings.timeToIdle(), settings.ttl());
    }

    /** Returns the expiry that an entry gets because it was read now; null if it keeps the one that it has. */
    @Nullable
    Expiry extension(Entry<?> entry) {
        Instant expiresAt = entry.expiresAt();
        Duration left = entry.ttl();
        if (expiresAt == null || left == null) {
            return null;
        }
        Instant now = expiresAt.minus(left); // by the store's clock
        Instant later = now.plus(timeToIdle);
        if (!ttl.isZero()) {
            Instant last = entry.updatedAt().plus(ttl);
            later = last.isBefore(later) ? last : later;
        }
        boolean isDue = !later.minus(timeToIdle.dividedBy(EXTENSIONS)).isBefore(expiresAt);
        return isDue ? Expiry.at(later).ifLater() : null;
    }
}
