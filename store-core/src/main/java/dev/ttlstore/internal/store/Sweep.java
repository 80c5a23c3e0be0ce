package dev.ttlstore.internal.store;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;

import dev.ttlstore.KeyRange;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.internal.access.GroupWalk;
import dev.ttlstore.internal.access.Mutation;
import dev.ttlstore.internal.access.RowAccess;

/** Deletes the entries of at least some age, group by group. Uses the age index of a group if there is one. */
final class Sweep {

    private static final String WHAT = "Removing old entries";

    private final RowAccess access;
    private final long latest;

    /**
     * Prepares a sweep.
     *
     * @param access reaches the rows
     * @param maxAge the age, counted back from now
     */
    Sweep(RowAccess access, Duration maxAge) {
        Objects.requireNonNull(maxAge, "'maxAge' must not be null");
        access.requireUsable();
        this.access = access;
        this.latest = Millis.ago(maxAge, "maxAge", access.now());
    }

    /** Deletes the old entries of a group, and returns how many there were. */
    long run(String group) {
        GroupWalk walk = new GroupWalk(access, group);
        return access.context().group(group).ageIndex()
                ? walk.changeCreated(WHAT, latest + 1, this::delete)
                : walk.change(WHAT, KeyRange.all(), row -> row.createdAt() <= latest, this::delete);
    }

    /** Decides by the age. So an entry that was overwritten meanwhile goes, and an entry that was created again stays. */
    private Mutation<Long> delete(Set<RowKey> keys) {
        return Mutation.changeAll(keys, Condition.createdBy(latest), Effect.DELETE);
    }
}
