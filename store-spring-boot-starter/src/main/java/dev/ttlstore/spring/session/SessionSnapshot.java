package dev.ttlstore.spring.session;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.session.MapSession;

/**
 * A session at the moment at which a save begins. The threads of its request can go on to change it.
 *
 * @param id the id
 * @param creationTime when it was created
 * @param lastAccessedTime when it was last used
 * @param interval how long it lives after an access
 * @param attributes the attributes; empty if none of them may have changed
 * @param changed which attributes may have changed
 * @param saved as it is in the store, as far as this request knows; null if it was never saved
 * @param isUsed whether a request has used it, so that it lives on
 * @param isIndexDue whether the entries of its indexes need a later expiry
 * @param changes the number of its last change
 */
record SessionSnapshot(
        String id,
        Instant creationTime,
        Instant lastAccessedTime,
        Duration interval,
        Map<String, Object> attributes,
        ChangedNames changed,
        @Nullable SavedSession saved,
        boolean isUsed,
        boolean isIndexDue,
        long changes) {

    /**
     * Which attributes of a session may have changed.
     *
     * @param written the names of the attributes that were set or removed
     * @param suspected the names of the attributes whose values may have changed
     */
    record ChangedNames(Set<String> written, Set<String> suspected) {

        boolean isEmpty() {
            return written.isEmpty() && suspected.isEmpty();
        }
    }

    /** Returns how long the session lives from now on. */
    Duration remaining() {
        return remaining(lastAccessedTime, interval);
    }

    static Duration remaining(Instant lastAccessedTime, Duration interval) {
        Duration idle = Duration.between(lastAccessedTime, Instant.now());
        return StoredSession.ttl(interval).minus(idle.isNegative() ? Duration.ZERO : idle);
    }

    /** Returns a copy for those who say how it can be found, whose reads are no changes. */
    MapSession copy() {
        MapSession copy = new MapSession(id);
        copy.setCreationTime(creationTime);
        copy.setLastAccessedTime(lastAccessedTime);
        copy.setMaxInactiveInterval(interval);
        attributes.forEach(copy::setAttribute);
        return copy;
    }

    /** Returns a text without the id and the attributes, which are secrets. */
    @Override
    public String toString() {
        return "SessionSnapshot[attributes=" + attributes.size() + "]";
    }
}
