package dev.ttlstore.spring.ratelimit;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.spring.keys.TextKeys;
import dev.ttlstore.spring.transaction.OutsideTransaction;

import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.distributed.proxy.AbstractProxyManager;
import io.github.bucket4j.distributed.proxy.AbstractProxyManagerBuilder;
import io.github.bucket4j.distributed.proxy.ClientSideConfig;
import io.github.bucket4j.distributed.remote.CommandResult;
import io.github.bucket4j.distributed.remote.Request;

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
 * fails with a {@link io.github.bucket4j.TimeoutException}. The message says if tokens may have been taken. An instance
 * that calls a bucket alone remembers it, and so needs one round trip to a database for each call.
 *
 * @param <K> the keys of buckets
 * @since 0.1
 * @see StoreRateLimitsProperties
 */
public final class StoreProxyManager<K> extends AbstractProxyManager<K> {

    /** The group that holds the buckets, unless another is named. */
    public static final String GROUP = "rate-limits";

    /** How long a thread waits at most for others of this instance that call the same bucket. */
    private static final long LONGEST_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Buckets buckets;
    private final Function<K, String> keys;
    private final TimedCalls calls;
    private final BucketLocks turns;

    private StoreProxyManager(Builder<K> settings) {
        super(withClock(settings.getClientSideConfig()));
        this.buckets = new Buckets(
                OutsideTransaction.of(settings.store).group(settings.group, Codec.bytes()),
                settings.getExpirationAfterWrite().orElse(null));
        this.keys = settings.keys;
        this.calls = new TimedCalls(
                settings.executor, settings.getRequestTimeoutNanos().orElse(0L));
        this.turns = new BucketLocks(
                settings.getRequestTimeoutNanos().map(nanos -> nanos / 4).orElse(LONGEST_TURN_NANOS));
    }

    /** Decisions are made here, so they need a clock. */
    private static ClientSideConfig withClock(ClientSideConfig config) {
        return config.getClientSideClock().isPresent() ? config : config.withClientClock(TimeMeter.SYSTEM_MILLISECONDS);
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
        buckets.remove(text(key));
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
    protected <T> CommandResult<T> execute(K key, Request<T> request) {
        String text = text(key);
        return turns.in(text, () -> {
            BucketCall<K> call = call(text, true);
            CommandResult<T> result = call.execute(key, request);
            return call.isDecidedUnread() ? call(text, false).execute(key, request) : result;
        });
    }

    @Override
    protected <T> CompletableFuture<CommandResult<T>> executeAsync(K key, Request<T> request) {
        String text = text(key);
        BucketCall<K> call = call(text, true);
        return call.executeAsync(key, request)
                .thenCompose(result -> call.isDecidedUnread()
                        ? call(text, false).executeAsync(key, request)
                        : CompletableFuture.completedFuture(result));
    }

    private BucketCall<K> call(String key, boolean mayBeUnread) {
        return new BucketCall<>(getClientSideConfig(), buckets, calls, key, mayBeUnread);
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
         * default the manager has threads of its own, and none stays when idle. At most 64 calls wait so at once, and 10,000 more in a
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
