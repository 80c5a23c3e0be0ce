package dev.ttlstore.spring.ratelimit;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.spring.recent.Recent;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.remote.RemoteBucketState;

/** The entries of buckets, and what this instance remembers of them. Thread-safe. */
final class Buckets {

    /** For some ten thousand buckets. */
    private static final long MOST_BYTES = 4 << 20;

    /** How long a bucket stays that is full, for nodes whose clocks differ a little. */
    private static final ExpirationAfterWriteStrategy WHEN_FULL =
            ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofMinutes(1));

    private final Group<byte[]> group;
    private final @Nullable ExpirationAfterWriteStrategy expiration;
    private final Recent<Seen> recent = new Recent<>(MOST_BYTES, seen -> seen.state.length);

    /**
     * A bucket as this instance has put it or read it.
     *
     * @param version the version of its entry
     * @param state its encoded state
     * @param isOwn whether no other instance has changed it between the last two calls, so that it may be the same at the next one
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, and nobody changes it
    record Seen(long version, byte[] state, boolean isOwn) {

        /** Returns a text without the state. */
        @Override
        public String toString() {
            return "Seen[version=" + version + ", isOwn=" + isOwn + "]";
        }
    }

    Buckets(Group<byte[]> group, @Nullable ExpirationAfterWriteStrategy expiration) {
        this.group = group;
        this.expiration = expiration;
    }

    /** Returns a bucket that probably still is as this instance has put it; null if it must be read. */
    @Nullable
    Seen unread(String key) {
        Seen seen = recent.get(key);
        return seen != null && seen.isOwn ? seen : null;
    }

    Optional<Seen> read(String key) {
        Optional<Entry<byte[]>> found = group.entry(key);
        Seen last = recent.get(key);
        return found.map(
                entry -> new Seen(entry.version(), entry.value(), last != null && last.version == entry.version()));
    }

    /**
     * Replaces a bucket, if it still has the version.
     *
     * @param before what the change is made of; null to create the bucket
     * @return whether it was replaced
     */
    boolean replace(String key, @Nullable Seen before, byte[] changed, RemoteBucketState state, long nowNanos) {
        Expiry expiry = expiry(state, nowNanos);
        OptionalLong version = before == null
                ? group.putIfAbsent(key, changed, expiry)
                : group.replaceVersion(key, before.version, changed, expiry);
        if (version.isPresent()) {
            recent.put(key, new Seen(version.getAsLong(), changed, before != null && before.isOwn));
        } else {
            forget(key, before);
        }
        return version.isPresent();
    }

    /** Forgets a bucket that was replaced meanwhile, unless this instance has done that. */
    private void forget(String key, @Nullable Seen before) {
        Seen last = recent.get(key);
        if (last != null && before != null && last.version == before.version) {
            recent.remove(key);
        }
    }

    void remove(String key) {
        boolean unused = group.delete(key);
    }

    private Expiry expiry(RemoteBucketState state, long nowNanos) {
        ExpirationAfterWriteStrategy strategy = expiration;
        if (strategy == null) {
            strategy = isLikeNewWhenFull(state) ? WHEN_FULL : ExpirationAfterWriteStrategy.none();
        }
        long ttlMillis = strategy.calculateTimeToLiveMillis(state, nowNanos);
        return ttlMillis < 0 ? Expiry.never() : Expiry.after(Duration.ofMillis(ttlMillis));
    }

    /** Tests whether a new bucket is as full as this one when it was not used for long. Tokens that were added beyond its capacity stay. */
    private static boolean isLikeNewWhenFull(RemoteBucketState state) {
        Bandwidth[] limits = state.getConfiguration().getBandwidths();
        for (int i = 0; i < limits.length; i++) {
            if (limits[i].getInitialTokens() != limits[i].getCapacity()
                    || state.getState().getCurrentSize(i) > limits[i].getCapacity()) {
                return false;
            }
        }
        return true;
    }
}
