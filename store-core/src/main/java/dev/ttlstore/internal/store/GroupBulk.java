package dev.ttlstore.internal.store;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.ttlstore.Expiry;
import dev.ttlstore.KeyRange;
import dev.ttlstore.internal.access.GroupWalk;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.commit.ExpiryRule;
import dev.ttlstore.internal.commit.Mutations;

/** The writes of a group that go through many entries, in small commits. */
final class GroupBulk {

    private final RowAccess access;
    private final String group;
    private final GroupWalk walk;
    private final ExpiryRules expiries;

    /**
     * Creates the writes of a group.
     *
     * @param access reaches the rows
     * @param group the full name of the group
     * @param walk goes through the rows of the group
     * @param expiries the group's rules for an expiry
     */
    GroupBulk(RowAccess access, String group, GroupWalk walk, ExpiryRules expiries) {
        this.access = access;
        this.group = group;
        this.walk = walk;
        this.expiries = expiries;
    }

    long clear(KeyRange range) {
        return walk.change("Deleting entries", range, row -> true, Mutations::deleteAll);
    }

    long sweep(Duration maxAge) {
        return new Sweep(access, maxAge).run(group);
    }

    long expireAll(KeyRange range, Expiry expiry) {
        ExpiryRule rule = expiries.of(expiry);
        return walk.change(
                "Giving entries another expiry", range, row -> true, keys -> Mutations.rescheduleAll(keys, rule));
    }

    /** Runs one of these writes in a thread of its own, because it may take long and be called seldom. */
    CompletableFuture<Long> async(Supplier<Long> write) {
        CompletableFuture<Long> future = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        future.complete(write.get());
                    } catch (Throwable e) { // an Error must reach whoever waits, too
                        future.completeExceptionally(e);
                    }
                },
                "ttl-store-bulk");
        thread.setDaemon(true);
        thread.start();
        return future;
    }
}
