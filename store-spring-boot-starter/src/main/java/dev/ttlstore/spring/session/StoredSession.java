package dev.ttlstore.spring.session;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A session as its entry holds it. Its last access is not part of it: that is the expiry of the entry, minus the interval. So a request
 * that changes no attribute moves the expiry of the entry, and does not write the value again.
 *
 * @param id the id; its hash is the key of the entry
 * @param creationTime when the session was created, by the clock of the application
 * @param interval how long the session lives after an access; negative for ever
 * @param indexes the values by which the session can be found, by the name of the index
 * @param attributes the encoded attributes, by name
 */
record StoredSession(
        String id,
        Instant creationTime,
        Duration interval,
        Map<String, String> indexes,
        Map<String, byte[]> attributes) {

    /** Stands for an entry that cannot be read, such as one of another release. */
    static final StoredSession UNREADABLE = new StoredSession("", Instant.EPOCH, Duration.ZERO, Map.of(), Map.of());

    /** Stands for ever: a session that does not expire has an expiry, too, which tells when it was last used. */
    private static final Duration FOR_EVER = Duration.ofDays(365_000);

    /** Stands for a session whose entry has an unreadable value, so that only its key is known. */
    static StoredSession withoutId(String key) {
        return new StoredSession(
                SessionKeys.standInForId(key), Instant.EPOCH, Duration.ofSeconds(-1), Map.of(), Map.of());
    }

    boolean isReadable() {
        return !id.isEmpty();
    }

    /** Returns how long an entry lives after an access. */
    Duration ttl() {
        return ttl(interval);
    }

    /** Returns how long an entry lives after an access. */
    static Duration ttl(Duration interval) {
        return interval.isNegative() || interval.compareTo(FOR_EVER) > 0 ? FOR_EVER : interval;
    }

    /** Returns the session with the changes of a request, which leaves alone what the request has not changed. */
    StoredSession with(SessionChange change) {
        Map<String, byte[]> changed = new LinkedHashMap<>(attributes);
        change.attributes()
                .forEach((name, value) ->
                        value.ifPresentOrElse(bytes -> changed.put(name, bytes), () -> changed.remove(name)));
        return new StoredSession(
                change.newId() == null ? id : change.newId(),
                creationTime,
                change.interval() == null ? interval : change.interval(),
                change.indexes() == null ? indexes : change.indexes(),
                changed);
    }

    /** Returns a text without ids and values, which are secrets. */
    @Override
    public String toString() {
        return "StoredSession[attributes=" + attributes.size() + "]";
    }
}
