package dev.ttlstore.spring.session;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Expiry;

/**
 * What a request changes of a stored session.
 *
 * @param id the id under which the request knows the session
 * @param newId the new id; null if it stays
 * @param remaining how long the session lives from now on at least
 * @param isExact whether it lives exactly that long, so that it is over if nothing remains; otherwise a later expiry stays
 * @param attributes the new encoded values of attributes, empty for those that are removed
 * @param interval the new interval; null if it stays
 * @param indexes the new values of all indexes; null if they stay
 * @param renewedIndexes the values of the indexes whose entries need a later expiry
 * @param ttl how long the session lives after an access
 */
record SessionChange(
        String id,
        @Nullable String newId,
        Duration remaining,
        boolean isExact,
        Map<String, Optional<byte[]>> attributes,
        @Nullable Duration interval,
        @Nullable Map<String, String> indexes,
        Map<String, String> renewedIndexes,
        Duration ttl) {

    /** Returns whether the value of the session's entry stays. */
    boolean isRenewalOnly() {
        return newId == null && attributes.isEmpty() && interval == null && indexes == null;
    }

    /** Returns whether other entries change with that of the session. */
    boolean concernsIndexes() {
        return newId != null || interval != null || indexes != null;
    }

    /** Returns the expiry of the live entry. */
    Expiry expiry() {
        return isExact ? in(remaining) : in(remaining).ifLater();
    }

    /** Returns the expiry of an entry that takes the place of one that would live for some more time. */
    Expiry expiryInsteadOf(@Nullable Duration present) {
        return isExact || present == null || present.compareTo(remaining) < 0 ? in(remaining) : in(present);
    }

    static Expiry in(Duration remaining) {
        return remaining.isNegative() || remaining.isZero() ? Expiry.now() : Expiry.after(remaining);
    }

    /** Returns a text without ids and values, which are secrets. */
    @Override
    public String toString() {
        return "SessionChange[attributes=" + attributes.size() + "]";
    }
}
