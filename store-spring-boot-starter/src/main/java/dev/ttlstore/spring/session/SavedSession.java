package dev.ttlstore.spring.session;

import java.time.Instant;

/**
 * A session as a request has last read or saved it.
 *
 * @param session the session in the store
 * @param version the version of its entry; 0 if it is not known
 * @param lastAccess the last access that the store knows
 */
record SavedSession(StoredSession session, long version, Instant lastAccess) {

    /** Returns a text without ids and values, which are secrets. */
    @Override
    public String toString() {
        return session.toString();
    }
}
