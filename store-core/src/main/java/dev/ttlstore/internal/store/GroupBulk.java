package dev.ttlstore.internal.store;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import dev.ttlstore.Expiry;
import dev.ttlstore.KeyRange;
import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.Request;
import dev.ttlstore.internal.access.GroupWalk;
import dev.ttlstore.internal.access.Mutation;
import dev.ttlstore.internal.access.RowAccess;

/**
 * The writes of a group that go through many entries, in small commits. A method checks its arguments, in its caller's
 * thread, and returns the work that is left.
 */
final class GroupBulk {

    private final RowAccess access;
    private final GroupWalk walk;
    private final ExpiryRules expiries;

    /**
     * Creates the writes of a group.
     *
     * @param access reaches the rows
     * @param walk goes through the rows of the group
     * @param expiries the group's rules for an expiry
     */
    GroupBulk(RowAccess access, GroupWalk walk, ExpiryRules expiries) {
        this.access = access;
        this.walk = walk;
        this.expiries = expiries;
    }

    LongSupplier clear(KeyRange range) {
        require(range);
        return () ->
                walk.change("Deleting entries", range, keys -> Mutation.changeAll(keys, Condition.LIVE, Effect.DELETE));
    }

    LongSupplier sweep(Duration maxAge) {
        long latest = GroupWalk.latest(access, maxAge);
        return () -> walk.sweep(latest);
    }

    LongSupplier expireAll(KeyRange range, Expiry expiry) {
        ExpiryRule rule = expiries.of(expiry);
        require(range);
        return () -> walk.change(
                "Giving entries another expiry",
                range,
                keys -> Mutation.changeAll(keys, Condition.LIVE, Effect.reschedule(rule)));
    }

    private void require(KeyRange range) {
        access.requireUsable();
        Objects.requireNonNull(range, "'range' must not be null");
    }

    /** Makes a write in another thread, after the writes that are queued already. */
    CompletableFuture<Long> async(LongSupplier write) {
        return access.context().bulk().submit(() -> {
            Answer unused = access.submit(Request.NOTHING);
            return write.getAsLong();
        });
    }
}
