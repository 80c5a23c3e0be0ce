package dev.ttlstore.spring.ratelimit;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.bucket4j.distributed.proxy.ClientSideConfig;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.AbstractCompareAndSwapBasedProxyManager;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.AsyncCompareAndSwapOperation;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.CompareAndSwapOperation;
import io.github.bucket4j.distributed.remote.RemoteBucketState;

/**
 * One call of a bucket: Bucket4j decides by a state, and the bucket is replaced if nobody else has replaced it meanwhile. The first attempt may
 * do without a read, by the state that this instance has put: another instance that has changed it has given it another version.
 */
final class BucketCall<K> extends AbstractCompareAndSwapBasedProxyManager<K> {

    /** What nobody knows if a bucket was not replaced in time. */
    private static final String EFFECT = "tokens were taken or added";

    private final Buckets buckets;
    private final TimedCalls calls;
    private final String key;
    private volatile boolean mayBeUnread;
    private volatile boolean decidedUnread;
    private volatile Buckets.@Nullable Seen seen;

    /**
     * Creates a call.
     *
     * @param config the settings of the manager
     * @param buckets the buckets
     * @param calls makes calls of the store that end in time
     * @param key the key of the bucket's entry
     * @param mayBeUnread whether the first attempt may do without a read
     */
    BucketCall(ClientSideConfig config, Buckets buckets, TimedCalls calls, String key, boolean mayBeUnread) {
        super(config);
        this.buckets = buckets;
        this.calls = calls;
        this.key = key;
        this.mayBeUnread = mayBeUnread;
    }

    /** Tests whether the call has ended without a read or a write, so that its result may be out of date. */
    boolean isDecidedUnread() {
        return decidedUnread;
    }

    private Optional<byte[]> unread() {
        seen = mayBeUnread ? buckets.unread(key) : null;
        mayBeUnread = false;
        decidedUnread = seen != null;
        return Optional.ofNullable(seen).map(Buckets.Seen::state);
    }

    private Optional<byte[]> read() {
        seen = buckets.read(key).orElse(null);
        return Optional.ofNullable(seen).map(Buckets.Seen::state);
    }

    private boolean replace(byte[] changed, RemoteBucketState state) {
        return buckets.replace(key, seen, changed, state, currentTimeNanos());
    }

    @Override
    protected CompareAndSwapOperation beginCompareAndSwapOperation(K name) {
        return new CompareAndSwapOperation() {
            @Override
            public Optional<byte[]> getStateData(Optional<Long> timeoutNanos) {
                Optional<byte[]> unread = unread();
                return unread.isPresent() ? unread : calls.call(timeoutNanos, "", BucketCall.this::read);
            }

            @Override
            public boolean compareAndSwap(
                    byte @Nullable [] original, byte[] changed, RemoteBucketState state, Optional<Long> timeoutNanos) {
                decidedUnread = false;
                return calls.call(timeoutNanos, EFFECT, () -> replace(changed, state));
            }
        };
    }

    @Override
    protected AsyncCompareAndSwapOperation beginAsyncCompareAndSwapOperation(K name) {
        return new AsyncCompareAndSwapOperation() {
            @Override
            public CompletableFuture<Optional<byte[]>> getStateData(Optional<Long> timeoutNanos) {
                Optional<byte[]> unread = unread();
                return unread.isPresent()
                        ? CompletableFuture.completedFuture(unread)
                        : calls.start(timeoutNanos, "", BucketCall.this::read);
            }

            @Override
            public CompletableFuture<Boolean> compareAndSwap(
                    byte @Nullable [] original, byte[] changed, RemoteBucketState state, Optional<Long> timeoutNanos) {
                decidedUnread = false;
                return calls.start(timeoutNanos, EFFECT, () -> replace(changed, state));
            }
        };
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
    public void removeProxy(K name) {
        throw new UnsupportedOperationException("A call removes no bucket");
    }

    @Override
    protected CompletableFuture<Void> removeAsync(K name) {
        throw new UnsupportedOperationException("A call removes no bucket");
    }
}
