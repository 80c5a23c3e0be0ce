package dev.ttlstore.internal.decision;

import java.util.function.ToLongFunction;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.Row;

import static java.util.Objects.requireNonNull;

/**
 * Decides what operations do to rows. This is the only place that knows it, for every engine and every kind of commit. It does no I/O:
 * what it decides follows from the operation, the row, and the time of the commit.
 */
public final class Decision {

    private static final Codec<Long> NUMBERS = Codec.longs();

    private final long now;
    private final ToLongFunction<String> versions;

    /** Whether the clock may be far ahead, so that what is written now may have to be mended later. */
    private final boolean mayBeAhead;

    /** Whether the clock was far ahead, so that rows from then count with the times that they should have. */
    private final boolean mends;

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
     * @param current the expiry of that row; {@link ExpiryTime#NEVER} if there is none
     * @return what becomes of the row
     * @throws RuntimeException what the code of the operation throws, or the reason why the value of the row cannot be read
     */
    public Outcome of(Operation operation, @Nullable Row found, ExpiryTime current) {
        Effect effect = operation.effect();
        Row live = live(found);
        ExpiryTime kept = live == null || isSame(found, live) ? current : ExpiryTime.exactly(live.expiresAt());
        if (effect.kind() == Effect.Kind.RESTORE) {
            return restored(effect, live);
        }
        if (!operation.condition().holds(live)) {
            return Outcome.unchanged(false, live);
        }
        return switch (effect.kind()) {
            case NOTHING -> Outcome.unchanged(true, live);
            case PUT -> put(operation, requireNonNull(effect.value()), live, kept);
            case ADD, COMPUTE -> put(operation, value(effect, live), live, kept);
            default -> live == null ? Outcome.unchanged(false, null) : changed(effect, found, live, kept);
        };
    }

    @SuppressWarnings("ReferenceEquality") // mending makes a new row
    private static boolean isSame(@Nullable Row found, Row live) {
        return live == found;
    }

    private static byte[] value(Effect effect, @Nullable Row live) {
        if (live == null) {
            return requireNonNull(effect.value());
        }
        return effect.kind() == Effect.Kind.ADD
                ? NUMBERS.encode(sum(NUMBERS.decode(live.value()), effect.delta()))
                : requireNonNull(effect.compute()).apply(live.value());
    }

    /**
     * Adds numbers.
     *
     * @param number a stored number
     * @param delta what is added
     * @return the sum
     * @throws ArithmeticException if it is out of the range of {@code long}
     */
    public static long sum(long number, long delta) {
        try {
            return Math.addExact(number, delta);
        } catch (ArithmeticException e) {
            // With the API's parameter name, and without the number.
            throw (ArithmeticException) new ArithmeticException(
                            "Adding 'delta' would take the counter beyond the range of long; it is unchanged")
                    .initCause(e);
        }
    }

    /** Puts a value. What is computed from the value of a live row keeps the expiry. */
    private Outcome put(Operation operation, byte[] value, @Nullable Row live, ExpiryTime current) {
        Effect effect = operation.effect();
        boolean keeps = effect.kind() != Effect.Kind.PUT && live != null;
        ExpiryTime expiry = keeps ? current : requireNonNull(effect.expiry()).of(live, current);
        Row row = new Row(
                operation.key(),
                value,
                versions.applyAsLong(operation.key().group()),
                live == null ? now : live.createdAt(),
                updatedAt(live),
                expiry.from(now));
        return new Outcome(true, live, row, expiry);
    }

    /** Returns when a row counts as updated that is put now. */
    private long updatedAt(@Nullable Row live) {
        if (live == null || !ClockLeap.isBelievable(live.updatedAt(), now)) {
            return now;
        }
        return Math.max(now, live.updatedAt()); // another node's time may be ahead of this one's
    }

    private Outcome changed(Effect effect, @Nullable Row found, Row live, ExpiryTime current) {
        return switch (effect.kind()) {
            case DELETE -> new Outcome(true, live, null, ExpiryTime.NEVER);
            case RESCHEDULE -> rescheduled(requireNonNull(effect.expiry()).of(live, current), live);
            case MEND -> mended(requireNonNull(found), live);
            default -> throw new IllegalArgumentException("Unknown effect " + effect.kind());
        };
    }

    /**
     * Changes the expiry. If the clock may be far ahead, and the new expiry counts from now, the entry counts as updated, because the
     * expiry may have to be mended later.
     */
    private Outcome rescheduled(ExpiryTime expiry, Row live) {
        long expiresAt = expiry.from(now);
        boolean marks = (mayBeAhead && expiry.isMovedBy(now)) || !ClockLeap.isBelievable(live.updatedAt(), now);
        Row renewed = marks && expiresAt != live.expiresAt() ? live.withUpdate(now) : live;
        return new Outcome(true, live, renewed.withExpiry(expiresAt), expiry);
    }

    private static Outcome mended(Row found, Row live) {
        return live.createdAt() == found.createdAt() && live.updatedAt() == found.updatedAt()
                ? Outcome.unchanged(false, live)
                : new Outcome(true, found, live, ExpiryTime.exactly(live.expiresAt()));
    }

    /** Restores an entry. One that has expired leaves everything as it is, as if nobody had looked. */
    private Outcome restored(Effect effect, @Nullable Row live) {
        Row given = requireNonNull(effect.row());
        Row wanted = new Row(
                given.key(),
                given.value(),
                given.version(),
                Math.min(given.createdAt(), now),
                Math.min(given.updatedAt(), now),
                given.expiresAt());
        if (!wanted.isLiveAt(now)) {
            return Outcome.unchanged(false, null);
        }
        if (live != null && isCopy(live, wanted)) {
            return Outcome.unchanged(true, live);
        }
        if (live != null && !effect.replaces()) {
            return Outcome.unchanged(false, live);
        }
        Row restored = wanted.withVersion(versions.applyAsLong(given.key().group()));
        return new Outcome(true, live, restored, ExpiryTime.exactly(given.expiresAt()));
    }

    private static boolean isCopy(Row live, Row other) {
        return live.createdAt() == other.createdAt()
                && live.updatedAt() == other.updatedAt()
                && live.expiresAt() == other.expiresAt()
                && live.hasValueOf(other);
    }
}
