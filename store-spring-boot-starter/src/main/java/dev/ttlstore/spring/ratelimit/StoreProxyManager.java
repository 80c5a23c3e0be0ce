package dev.ttlstore.spring.ratelimit;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.spring.keys.TextKeys;
import dev.ttlstore.spring.transaction.OutsideTransaction;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.AbstractProxyManagerBuilder;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.AbstractCompareAndSwapBasedProxyManager;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.AsyncCompareAndSwapOperation;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.CompareAndSwapOperation;
import io.github.bucket4j.distributed.remote.RemoteBucketState;

/**
 * Keeps Bucket4j's buckets in a store. A bucket is an entry that a call replaces only if no other call has replaced it
 * meanwhile. So instances that share the store never allow a call too many. Thread-safe.
 *
 * <pre>{@code
 * BucketConfiguration hundredADay = BucketConfiguration.builder()
 *         .addLimit(limit -> limit.capacity(100).refillGreedy(100, Duration.ofDays(1)))
 *         .build();
 * ProxyManager<String> buckets = StoreProxyManager.builderFor(store).build();
 * boolean allowed = buckets.builder().build("ann", () -> hundredADay).tryConsume(1);
 * }</pre>
 *
 * <p>Without another strategy, a bucket expires once it would be full again, which changes nothing for its callers.
 * Tokens that were taken belong to no transaction of the application. With a request timeout, a call that takes longer
 * fails with a {@link io.github.bucket4j.TimeoutException}. The message says if tokens may have been taken.
 *
 * @param <K> the keys of buckets
 * @since 0.1
 * @see StoreRateLimitsProperties
 */
public final class StoreProxyManager<K> extends AbstractCompareAndSwapBasedProxyManager<K> {

    /** The group that holds the buckets, unless another is named. */
    public static final String GROUP = "rate-limits";

    /** What nobody knows if a bucket was not replaced in time. */
    private static final String EFFECT = "tokens were taken or added";

    /** How long a bucket stays that is full, for nodes whose clocks differ a little. */
    private static final ExpirationAfterWriteStrategy WHEN_FULL =
            ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofMinutes(1));

    private final Group<byte[]> buckets;
    private final Function<K, String> keys;
    private final TimedCalls calls;
    private final @Nullable ExpirationAfterWriteStrategy expiration;

    private StoreProxyManager(Builder<K> settings) {
        super(settings.getClientSideConfig());
        this.buckets = OutsideTransaction.of(settings.store).group(settings.group, Codec.bytes());
        this.keys = settings.keys;
        this.calls = new TimedCalls(
                settings.executor, settings.getRequestTimeoutNanos().orElse(0L));
        this.expiration = settings.getExpirationAfterWrite().orElse(null);
    }

    /**
     * Builds a manager whose keys are texts, such as the names of users.
     *
     * @param store the store or scope that holds the buckets
     * @return a builder
     */
    public static Builder<String> builderFor(LiveKeyspace store) {
        return builderFor(store, key -> key);
    }

    /**
     * Builds a manager.
     *
     * @param <K> the keys of buckets
     * @param store the store or scope that holds the buckets
     * @param keys returns the text of a key; different keys have different texts. Any text works, such as a client's header: the manager
     *     hashes a text that is not a valid key of the store
     * @return a builder
     */
    public static <K> Builder<K> builderFor(LiveKeyspace store, Function<K, String> keys) {
        return new Builder<>(store, keys);
    }

    private String text(K key) {
        return TextKeys.of(keys.apply(Objects.requireNonNull(key, "'key' must not be null")));
    }

    @Override
    public void removeProxy(K key) {
        boolean unused = buckets.delete(text(key));
    }

    @Override
    @SuppressWarnings("NullAway") // Bucket4j does not say that the result is null
    protected CompletableFuture<Void> removeAsync(K key) {
        return calls.start(Optional.empty(), "", () -> {
            removeProxy(key);
            return null;
        });
    }

    @Override
    public boolean isAsyncModeSupported() {
        return true;
    }

    @Override
    public boolean isExpireAfterWriteSupported() {
        return true;
    }

    @Override
    protected CompareAndSwapOperation beginCompareAndSwapOperation(K key) {
        return new Swap(text(key));
    }

    @Override
    protected AsyncCompareAndSwapOperation beginAsyncCompareAndSwapOperation(K key) {
        Swap swap = new Swap(text(key));
        return new AsyncCompareAndSwapOperation() {
            @Override
            public CompletableFuture<Optional<byte[]>> getStateData(Optional<Long> timeoutNanos) {
                return calls.start(timeoutNanos, "", swap::read);
            }

            @Override
            public CompletableFuture<Boolean> compareAndSwap(
                    byte @Nullable [] original, byte[] changed, RemoteBucketState state, Optional<Long> timeoutNanos) {
                return calls.start(timeoutNanos, EFFECT, () -> swap.swap(original, changed, state));
            }
        };
    }

    private Expiry expiry(RemoteBucketState state) {
        ExpirationAfterWriteStrategy strategy = expiration;
        if (strategy == null) {
            strategy = isLikeNewWhenFull(state) ? WHEN_FULL : ExpirationAfterWriteStrategy.none();
        }
        long ttlMillis = strategy.calculateTimeToLiveMillis(state, currentTimeNanos());
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

    /** Replaces the version of a bucket that it has read. */
    private final class Swap implements CompareAndSwapOperation {
        private final String key;
        private volatile long version;

        private Swap(String key) {
            this.key = key;
        }

        @Override
        public Optional<byte[]> getStateData(Optional<Long> timeoutNanos) {
            return calls.call(timeoutNanos, "", this::read);
        }

        private Optional<byte[]> read() {
            Optional<Entry<byte[]>> found = buckets.entry(key);
            found.ifPresent(entry -> version = entry.version());
            return found.map(Entry::value);
        }

        @Override
        public boolean compareAndSwap(
                byte @Nullable [] original, byte[] changed, RemoteBucketState state, Optional<Long> timeoutNanos) {
            return calls.call(timeoutNanos, EFFECT, () -> swap(original, changed, state));
        }

        private boolean swap(byte @Nullable [] original, byte[] changed, RemoteBucketState state) {
            Expiry expiry = expiry(state);
            OptionalLong swapped = original == null
                    ? buckets.putIfAbsent(key, changed, expiry)
                    : buckets.replaceVersion(key, version, changed, expiry);
            return swapped.isPresent();
        }
    }

    /**
     * Builds a manager. Not thread-safe.
     *
     * @param <K> the keys of buckets
     */
    public static final class Builder<K> extends AbstractProxyManagerBuilder<K, StoreProxyManager<K>, Builder<K>> {
        private final LiveKeyspace store;
        private final Function<K, String> keys;
        private String group = GROUP;
        private @Nullable Executor executor;

        private Builder(LiveKeyspace store, Function<K, String> keys) {
            this.store = Objects.requireNonNull(store, "'store' must not be null");
            this.keys = Objects.requireNonNull(keys, "'keys' must not be null");
        }

        /**
         * Sets the group that holds the buckets, instead of {@value StoreProxyManager#GROUP}.
         *
         * @param name the name of the group
         * @return this builder
         */
        public Builder<K> group(String name) {
            this.group = Objects.requireNonNull(name, "'name' must not be null");
            return this;
        }

        /**
         * Sets what runs asynchronous calls, and all calls if there is a request timeout. They wait for the store in its threads. By
         * default the manager has threads of its own, of which none stays. At most 64 calls wait so at once, and 10,000 more in a
         * line. The manager refuses others with a {@link java.util.concurrent.RejectedExecutionException}, and those that stay in the
         * line for 30 seconds. An asynchronous call never blocks its caller.
         *
         * @param threads the executor
         * @return this builder
         */
        public Builder<K> executor(Executor threads) {
            this.executor = Objects.requireNonNull(threads, "'threads' must not be null");
            return this;
        }

        @Override
        public StoreProxyManager<K> build() {
            return new StoreProxyManager<>(this);
        }

        @Override
        public boolean isExpireAfterWriteSupported() {
            return true;
        }
    }
}
