package dev.ttlstore.spring.session;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.springframework.session.SaveMode;
import org.springframework.session.Session;
import org.springframework.util.Assert;

import dev.ttlstore.spring.session.SessionSnapshot.ChangedNames;

/**
 * A session in a store, as one request sees it. It records what the request changes, so saving it does not undo the
 * changes of other requests. Its times are those of the application's clock.
 *
 * <p>Thread-safe, also while it is being saved: a change that comes too late for one save is part of the next one.
 * Methods do not wait for the store, unless the flush mode writes each change at once.
 *
 * @since 0.1
 * @see StoreSessionRepository
 * @see StoreReactiveSessionRepository
 */
public final class StoreSession implements Session {

    /** The attribute by which Spring Session tells Spring Security that nobody may use a session any more. It is private there. */
    private static final String EXPIRED =
            "org.springframework.session.security.SpringSessionBackedSessionInformation.EXPIRED";

    private final Sessions sessions;
    private final Instant creationTime;
    private final boolean readable;

    /** Held while the session is saved, so that of two saves at once none undoes the other. */
    private final Lock saving = new ReentrantLock();

    // What follows is guarded by this.

    private final Map<String, Object> attributes = new HashMap<>();

    /** The names of the attributes that were set or removed, with the numbers of these changes. */
    private final Map<String, Long> written = new HashMap<>();

    /** The names of the attributes whose values may have been changed, with the numbers of the changes that these would be. */
    private final Map<String, Long> suspected = new HashMap<>();

    private String id;
    private @Nullable String nextId;
    private Instant lastAccessedTime;
    private Duration maxInactiveInterval;

    /** As it is in the store, as far as this request knows; null if it was never saved. */
    private @Nullable SavedSession saved;

    /** When the entries of indexes were last known to live long enough. */
    private Instant indexed;

    /** How many changes there were. */
    private long changes;

    /** The number of the change that has used the session, unless that is saved; otherwise zero. */
    private long used;

    /** Creates a session that the store does not have yet. */
    StoreSession(Sessions sessions, String id, Duration interval) {
        this.sessions = sessions;
        this.readable = true;
        this.id = id;
        this.creationTime = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        this.lastAccessedTime = creationTime;
        this.indexed = creationTime;
        this.maxInactiveInterval = interval;
    }

    /** Creates the session of an entry. The attributes are null if they cannot be read. */
    StoreSession(
            Sessions sessions,
            StoredSession stored,
            long version,
            Instant lastAccessedTime,
            Instant indexed,
            @Nullable Map<String, Object> attributes) {
        this.sessions = sessions;
        this.readable = attributes != null;
        this.saved = new SavedSession(stored, version, lastAccessedTime);
        this.id = stored.id();
        this.creationTime = stored.creationTime();
        this.lastAccessedTime = lastAccessedTime;
        this.indexed = indexed;
        this.maxInactiveInterval = stored.interval();
        if (attributes != null) {
            this.attributes.putAll(attributes);
        }
        suspectAllIfAlways();
    }

    private void suspectAllIfAlways() {
        if (sessions.saves(SaveMode.ALWAYS)) {
            attributes.keySet().forEach(name -> suspected.put(name, ++changes));
        }
    }

    /**
     * Returns whether the session could be read. A session that was found by its id is always readable. A session that was found by an
     * index may be unreadable, for example because a release has changed a class. It then has no attributes, and can be deleted by its
     * id. Spring Security's session registry treats it as expired.
     *
     * @return whether the session has its attributes
     */
    public boolean isReadable() {
        return readable;
    }

    @Override
    public synchronized String getId() {
        return id;
    }

    @Override
    public String changeSessionId() {
        String next = takeNextId();
        String changed = next != null ? next : sessions.newId();
        synchronized (this) {
            id = changed;
        }
        sessions.flush(this);
        return changed;
    }

    private synchronized @Nullable String takeNextId() {
        String next = nextId;
        nextId = null;
        return next;
    }

    /** Makes the next id now unless it is there, because that can block: it reads random numbers of the system. */
    void makeNextId() {
        if (!hasNextId()) {
            String next = sessions.newId();
            synchronized (this) {
                nextId = next;
            }
        }
    }

    private synchronized boolean hasNextId() {
        return nextId != null;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Spring declares it
    public synchronized <T> @Nullable T getAttribute(String attributeName) {
        if (!readable && EXPIRED.equals(attributeName)) {
            // Where a second login is refused, it must not count: its user cannot log out of it here.
            return (T) (Object) true;
        }
        T value = (T) attributes.get(attributeName);
        if (value != null && sessions.saves(SaveMode.ON_GET_ATTRIBUTE)) {
            suspected.put(attributeName, ++changes);
        }
        return value;
    }

    @Override
    public synchronized Set<String> getAttributeNames() {
        return new HashSet<>(attributes.keySet());
    }

    @Override
    public void setAttribute(String attributeName, @Nullable Object attributeValue) {
        Assert.isTrue(attributeName != null || attributeValue == null, "'attributeName' must not be null");
        if (change(attributeName, attributeValue)) {
            sessions.flush(this);
        }
    }

    private synchronized boolean change(String name, @Nullable Object value) {
        Object before = value == null ? attributes.remove(name) : attributes.put(name, value);
        if (before == null && value == null) {
            return false;
        }
        written.put(name, ++changes);
        return true;
    }

    @Override
    public void removeAttribute(String attributeName) {
        setAttribute(attributeName, null);
    }

    @Override
    public Instant getCreationTime() {
        return creationTime;
    }

    @Override
    public void setLastAccessedTime(Instant time) {
        Objects.requireNonNull(time, "'time' must not be null");
        synchronized (this) {
            lastAccessedTime = time;
            used = ++changes;
        }
        sessions.flush(this);
    }

    @Override
    public synchronized Instant getLastAccessedTime() {
        return lastAccessedTime;
    }

    @Override
    public void setMaxInactiveInterval(Duration interval) {
        Objects.requireNonNull(interval, "'interval' must not be null");
        synchronized (this) {
            maxInactiveInterval = interval;
        }
        sessions.flush(this);
    }

    @Override
    public synchronized Duration getMaxInactiveInterval() {
        return maxInactiveInterval;
    }

    @Override
    public synchronized boolean isExpired() {
        return !maxInactiveInterval.isNegative()
                && SessionSnapshot.remaining(lastAccessedTime, maxInactiveInterval)
                                .compareTo(Duration.ZERO)
                        <= 0;
    }

    Lock saving() {
        return saving;
    }

    synchronized SessionSnapshot snapshot() {
        ChangedNames changed = new ChangedNames(Set.copyOf(written.keySet()), Set.copyOf(suspected.keySet()));
        return new SessionSnapshot(
                id,
                creationTime,
                lastAccessedTime,
                maxInactiveInterval,
                saved == null || !changed.isEmpty() ? new HashMap<>(attributes) : Map.of(),
                changed,
                saved,
                used != 0,
                isIndexDue(),
                changes);
    }

    /** Returns whether the entries of indexes need a later expiry. */
    synchronized boolean isIndexDue() {
        return !Duration.between(indexed, Instant.now())
                .minus(StoredSession.ttl(maxInactiveInterval))
                .isNegative();
    }

    /** Forgets an attribute that cannot be stored, so that the others can be. */
    synchronized void drop(String attributeName, Object value) {
        if (attributes.remove(attributeName, value)) {
            written.remove(attributeName);
            suspected.remove(attributeName);
        }
    }

    /** Notes what is in the store now: all that a snapshot has. The version is 0 if it is not known. */
    synchronized void saved(SessionSnapshot snapshot, StoredSession now, long version) {
        if (snapshot.isIndexDue()) {
            indexed = Instant.now();
        }
        saved = new SavedSession(now, version, snapshot.lastAccessedTime());
        if (used <= snapshot.changes()) {
            used = 0;
        }
        written.values().removeIf(change -> change <= snapshot.changes());
        suspected.values().removeIf(change -> change <= snapshot.changes());
        suspectAllIfAlways();
    }

    /** Returns a text without the id and the attributes, which are secrets. */
    @Override
    public synchronized String toString() {
        return "StoreSession[attributes=" + attributes.size() + "]";
    }
}
