package dev.ttlstore.spring.observation;

import java.util.Locale;

import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.TransactionConflictException;
import dev.ttlstore.exception.ValueTooLargeException;

/**
 * How a call of a store has ended.
 *
 * @since 0.1
 * @see StoreObservationContext#outcome()
 */
public enum CallOutcome {

    /** A read has found at least one live entry. */
    HIT,

    /** A read has found no live entry. */
    MISS,

    /** A write has changed at least one entry, or a call without such an answer has returned. */
    DONE,

    /** A write has changed nothing: its condition did not hold, or there was no live entry. */
    UNCHANGED,

    /** The store has refused a write because of a quota or the size of the value. */
    REFUSED,

    /** Another instance has written the same entries. The transaction can run again. */
    CONFLICT,

    /** The call has thrown any other exception. */
    ERROR;

    private final String value = name().toLowerCase(Locale.ROOT);

    /**
     * Returns the outcome as a value of a key.
     *
     * @return the name in lower case
     */
    public String value() {
        return value;
    }

    static CallOutcome of(Throwable failure) {
        if (failure instanceof QuotaExceededException || failure instanceof ValueTooLargeException) {
            return REFUSED;
        }
        return failure instanceof TransactionConflictException ? CONFLICT : ERROR;
    }
}
