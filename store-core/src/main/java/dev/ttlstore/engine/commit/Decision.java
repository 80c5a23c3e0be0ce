package dev.ttlstore.engine.commit;

import java.util.function.ToLongFunction;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.ExpiryTime;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Outcome;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.StoredNumbers;

import static java.util.Objects.requireNonNull;

/**
 * Decides what operations do to rows. This and {@link dev.ttlstore.engine.Condition#holds} are the only places that know it, for every
 * engine and every kind of commit. Commands, which name no rows, decide themselves. It does no I/O: what it decides follows from the
 * operation, the row, and the time of the commit.
 *
 * @since 0.1
 */
public final class Decision {

    private final long now;
    private final ToLongFunction<String> versions;

    /** Whether the clock may be far ahead, so that what is written now may have to be mended later. */
    private final boolean mayBeAhead;

    /** Whether the clock was far ahead, so that rows from then count with the times that they should have. */
    private final boolean mends;

    /**
     * What was decided about a row.
     *
     * @param applied whether its condition held, and there was a row where it needs one
     * @param before the live row that it has found; null if there was none
     * @param after the row as it is now; the same object if the operation has changed nothing, null if there is none
     * @param expiry computes the expiry of a row that the operation has changed
     */
    public record Transition(
            boolean applied, @Nullable Row before, @Nullable Row after, ExpiryTime expiry) {

        /**
         * Says that nothing was done to a row.
         *
         * @param applied whether the condition held
         * @param row the live row; null if there is none
         * @return the outcome
         */
        public static Transition unchanged(boolean applied, @Nullable Row row) {
            return new Transition(applied, row, row, ExpiryTime.NEVER);
        }

        /**
         * Tests whether the operation has changed the row.
         *
         * @return whether it was put, deleted or rescheduled
         */
        @SuppressWarnings("ReferenceEquality") // a change makes a new row
        public boolean isChange() {
            return before != after;
        }

        /**
         * Returns the row that was put.
         *
         * @return the row
         */
        public Row put() {
            return requireNonNull(after);
        }

        /**
         * Returns what the caller of the operation gets. It keeps no value that nobody has asked for.
         *
         * @param operation the operation
         * @return its outcome
         */
        public Outcome outcomeOf(Operation operation) {
            Row now = after;
            boolean put = isChange() && now != null;
            Row row =
                    switch (operation.effect().kind()) {
                        case ADD, COMPUTE -> now;
                        default -> operation.returning() ? before : null;
                    };
            return new Outcome(applied, before != null, put ? put().version() : 0, row);
        }
    }

    /**
     * Creates the decisions of a commit.
     *
     * @param now the time by which it decides, in milliseconds since the epoch
     * @param leap a leap of the store's clock; null if there was none
     * @param versions hands out the version of the next row that is put in a group
     */
    public Decision(long now, @Nullable ClockLeap leap, ToLongFunction<String> versions) {
        this.now = now;
        this.versions = versions;
        this.mayBeAhead = leap != null && leap.mayBeAhead(now);
        this.mends = leap != null && leap.isToMend(now);
    }

    /**
     * Returns a row as operations see it.
     *
     * @param row the row; null if there is none
     * @return the row if it is live, with the times that it should have if it was written by a clock that was ahead; null otherwise
     */
    public @Nullable Row live(@Nullable Row row) {
        if (row == null || !row.isLiveAt(now)) {
            return null;
        }
        return mends ? ClockLeap.mended(row, now) : row;
    }

    /**
     * Decides.
     *
     * @param operation the operation
     * @param found the row under its key, as earlier operations of the commit have left it; null if there is none
     * @param changed the expiry that those have given to it; null if they have not changed it
     * @return what becomes of the row
     * @throws RuntimeException what the code of the operation throws, or the reason why the value of the row cannot be read
     */
    public Transition of(Operation operation, @Nullable Row found, @Nullable ExpiryTime changed) {
        Effect effect = operation.effect();
        Row live = live(found);
        ExpiryTime kept = live != null && isSame(found, live) ? changed : null;
        if (effect.kind() == Effect.Kind.RESTORE) {
            return restored(effect, live);
        }
        if (!operation.condition().holds(live)) {
            return Transition.unchanged(false, live);
        }
        return switch (effect.kind()) {
            case NOTHING -> Transition.unchanged(true, live);
            case PUT -> put(operation, requireNonNull(effect.value()), live, kept);
            case ADD -> put(operation, sum(effect.delta(), live), live, kept);
            case COMPUTE -> put(operation, computed(effect, live), live, kept);
            default -> live == null ? Transition.unchanged(false, null) : changed(effect, found, live, kept);
        };
    }

    @SuppressWarnings("ReferenceEquality") // mending makes a new row
    private static boolean isSame(@Nullable Row found, Row live) {
        return live == found;
    }

    private static byte[] sum(long delta, @Nullable Row live) {
        return StoredNumbers.encode(
                live == null ? delta : StoredNumbers.sum(StoredNumbers.decode(live.value()), delta));
    }

    private static byte[] computed(Effect effect, @Nullable Row live) {
        return live == null
                ? requireNonNull(effect.value())
                : requireNonNull(effect.compute()).apply(live.value());
    }

    /** Puts a value. What is computed from the value of a live row keeps the expiry. */
    private Transition put(Operation operation, byte[] value, @Nullable Row live, @Nullable ExpiryTime changed) {
        Effect effect = operation.effect();
        ExpiryTime expiry = live != null && effect.kind() != Effect.Kind.PUT
                ? current(live, changed)
                : expiry(requireNonNull(effect.expiry()), live, changed);
        Row row = new Row(
                operation.key(),
                value,
                versions.applyAsLong(operation.key().group()),
                live == null ? now : live.createdAt(),
                updatedAt(live),
                expiry.from(now));
        return new Transition(true, live, row, expiry);
    }

    /** Returns when a row counts as updated that is put now. */
    private long updatedAt(@Nullable Row live) {
        if (live == null || !ClockLeap.isBelievable(live.updatedAt(), now)) {
            return now;
        }
        return Math.max(now, live.updatedAt()); // another node's time may be ahead of this one's
    }

    private Transition changed(Effect effect, @Nullable Row found, Row live, @Nullable ExpiryTime changed) {
        return switch (effect.kind()) {
            case DELETE -> new Transition(true, live, null, ExpiryTime.NEVER);
            case RESCHEDULE -> rescheduled(expiry(requireNonNull(effect.expiry()), live, changed), live);
            case MEND -> mended(requireNonNull(found), live);
            default -> throw new IllegalArgumentException("Unknown effect " + effect.kind());
        };
    }

    /**
     * Changes the expiry. If the clock may be far ahead, and the new expiry counts from now, the entry counts as updated, because the
     * expiry may have to be mended later.
     */
    private Transition rescheduled(ExpiryTime expiry, Row live) {
        long expiresAt = expiry.from(now);
        boolean marks = (mayBeAhead && expiry.isMovedBy(now)) || !ClockLeap.isBelievable(live.updatedAt(), now);
        Row renewed = marks && expiresAt != live.expiresAt() ? live.withUpdate(now) : live;
        return new Transition(true, live, renewed.withExpiry(expiresAt), expiry);
    }

    private static Transition mended(Row found, Row live) {
        return live.createdAt() == found.createdAt() && live.updatedAt() == found.updatedAt()
                ? Transition.unchanged(false, live)
                : new Transition(true, found, live, ExpiryTime.exactly(live.expiresAt()));
    }

    /** Restores an entry. One that has expired leaves everything as it is, as if nobody had looked. */
    private Transition restored(Effect effect, @Nullable Row live) {
        Row given = requireNonNull(effect.row());
        Row wanted = new Row(
                given.key(),
                given.value(),
                given.version(),
                Math.min(given.createdAt(), now),
                Math.min(given.updatedAt(), now),
                given.expiresAt());
        if (!wanted.isLiveAt(now)) {
            return Transition.unchanged(false, null);
        }
        if (live != null && live.isCopyOf(wanted)) {
            return Transition.unchanged(true, live);
        }
        if (live != null && !effect.replaces()) {
            return Transition.unchanged(false, live);
        }
        Row restored = wanted.withVersion(versions.applyAsLong(given.key().group()));
        return new Transition(true, live, restored, ExpiryTime.exactly(given.expiresAt()));
    }

    /**
     * Computes an expiry.
     *
     * @param rule the rule
     * @param live the entry before the write; null if there is none
     * @param changed its expiry, if the commit has changed it; null otherwise
     * @return the expiry after the write
     */
    static ExpiryTime expiry(ExpiryRule rule, @Nullable Row live, @Nullable ExpiryTime changed) {
        ExpiryTime wanted = unbound(rule, live, changed);
        if (live == null || rule.bound() == ExpiryRule.Bound.NONE) {
            return wanted;
        }
        ExpiryTime current = current(live, changed);
        return rule.bound() == ExpiryRule.Bound.LATER ? wanted.orLater(current) : wanted.orEarlier(current);
    }

    private static ExpiryTime current(Row live, @Nullable ExpiryTime changed) {
        return changed == null ? ExpiryTime.exactly(live.expiresAt()) : changed;
    }

    private static ExpiryTime unbound(ExpiryRule rule, @Nullable Row live, @Nullable ExpiryTime changed) {
        long millis = rule.millis();
        return switch (rule.start()) {
            case NOW -> ExpiryTime.afterMillis(millis);
            case CREATION -> live == null ? ExpiryTime.afterMillis(millis) : ExpiryTime.at(live.createdAt() + millis);
            case UPDATE -> live == null ? ExpiryTime.afterMillis(millis) : ExpiryTime.at(live.updatedAt() + millis);
            case CURRENT -> (live == null ? fresh(rule) : current(live, changed)).plus(millis);
            case AT -> ExpiryTime.at(millis);
            case NEVER -> ExpiryTime.NEVER;
        };
    }

    private static ExpiryTime fresh(ExpiryRule rule) {
        return rule.otherwise() == Row.NEVER ? ExpiryTime.NEVER : ExpiryTime.afterMillis(rule.otherwise());
    }
}
