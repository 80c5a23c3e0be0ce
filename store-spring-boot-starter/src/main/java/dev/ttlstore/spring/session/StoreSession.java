package dev.ttlstore.spring.session;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.session.MapSession;
import org.springframework.session.SaveMode;
import org.springframework.session.Session;
import org.springframework.util.Assert;

/**
 * A session in a store, as one request sees it. It remembers what the request changes, so that saving it leaves alone what other
 * requests of the session change meanwhile. Its times are those of the application's clock. Not thread-safe.
 */
public final class StoreSession implements Session {

    private final StoreSessionRepository repository;
    private final Instant creationTime;
    private final Map<String, Object> attributes = new HashMap<>();

    /** The names of the attributes that were set or removed. */
    private final Set<String> written = new HashSet<>();

    /** The names of the attributes whose values may have been changed. */
    private final Set<String> suspected = new HashSet<>();

    private String id;
    private Instant lastAccessedTime;
    private Duration maxInactiveInterval;

    /** As it is in the store, as far as this request knows; null if it was never saved. */
    private @Nullable StoredSession stored;

    private Instant storedAccess;

    /** When the entries of indexes were last known to live long enough. */
    private Instant indexed;

    private boolean used;

    /** Creates a session that the store does not have yet. */
    StoreSession(StoreSessionRepository repository, String id, Duration interval) {
        this.repository = repository;
        this.id = id;
        this.creationTime = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        this.lastAccessedTime = creationTime;
        this.storedAccess = creationTime;
        this.indexed = creationTime;
        this.maxInactiveInterval = interval;
    }

    /** Creates the session of an entry. */
    StoreSession(
            StoreSessionRepository repository,
            StoredSession stored,
            Instant lastAccessedTime,
            Instant indexed,
            Map<String, Object> attributes) {
        this.repository = repository;
        this.stored = stored;
        this.id = stored.id();
        this.creationTime = stored.creationTime();
        this.lastAccessedTime = lastAccessedTime;
        this.storedAccess = lastAccessedTime;
        this.indexed = indexed;
        this.maxInactiveInterval = stored.interval();
        this.attributes.putAll(attributes);
        if (repository.saves(SaveMode.ALWAYS)) {
            suspected.addAll(attributes.keySet());
        }
    }

    @Override
    public String getId() {
        return id;
    }

    @Override
    public String changeSessionId() {
        id = repository.newId();
        repository.flush(this);
        return id;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Spring declares it
    public <T> @Nullable T getAttribute(String attributeName) {
        T value = (T) attributes.get(attributeName);
        if (value != null && repository.saves(SaveMode.ON_GET_ATTRIBUTE)) {
            suspected.add(attributeName);
        }
        return value;
    }

    @Override
    public Set<String> getAttributeNames() {
        return new HashSet<>(attributes.keySet());
    }

    @Override
    public void setAttribute(String attributeName, @Nullable Object attributeValue) {
        Assert.isTrue(attributeName != null || attributeValue == null, "'attributeName' must not be null");
        Object before = attributeValue == null
                ? attributes.remove(attributeName)
                : attributes.put(attributeName, attributeValue);
        if (before != null || attributeValue != null) {
            written.add(attributeName);
            repository.flush(this);
        }
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
        lastAccessedTime = Objects.requireNonNull(time, "'time' must not be null");
        used = true;
        repository.flush(this);
    }

    @Override
    public Instant getLastAccessedTime() {
        return lastAccessedTime;
    }

    @Override
    public void setMaxInactiveInterval(Duration interval) {
        maxInactiveInterval = Objects.requireNonNull(interval, "'interval' must not be null");
        repository.flush(this);
    }

    @Override
    public Duration getMaxInactiveInterval() {
        return maxInactiveInterval;
    }

    @Override
    public boolean isExpired() {
        return !maxInactiveInterval.isNegative() && remaining().compareTo(Duration.ZERO) <= 0;
    }

    /** Returns how long the session lives from now on. */
    Duration remaining() {
        Duration idle = Duration.between(lastAccessedTime, Instant.now());
        return StoredSession.ttl(maxInactiveInterval).minus(idle.isNegative() ? Duration.ZERO : idle);
    }

    /** Returns a copy for those who say how it can be found, whose reads are no changes. */
    MapSession copy() {
        MapSession copy = new MapSession(id);
        copy.setCreationTime(creationTime);
        copy.setLastAccessedTime(lastAccessedTime);
        copy.setMaxInactiveInterval(maxInactiveInterval);
        attributes.forEach(copy::setAttribute);
        return copy;
    }

    @Nullable
    Object value(String attributeName) {
        return attributes.get(attributeName);
    }

    @Nullable
    StoredSession stored() {
        return stored;
    }

    Instant storedAccess() {
        return storedAccess;
    }

    /** Returns whether a request has used the session, which then lives on. */
    boolean isUsed() {
        return used;
    }

    Set<String> written() {
        return written;
    }

    /** Forgets an attribute that cannot be stored, so that the others can be. */
    void drop(String attributeName) {
        attributes.remove(attributeName);
        written.remove(attributeName);
        suspected.remove(attributeName);
    }

    Set<String> suspected() {
        return suspected;
    }

    /** Returns whether the entries of indexes need a later expiry. */
    boolean isIndexDue() {
        return !Duration.between(indexed, Instant.now())
                .minus(StoredSession.ttl(maxInactiveInterval))
                .isNegative();
    }

    /** Notes that the session is in the store now. */
    void saved(StoredSession now) {
        if (isIndexDue()) {
            indexed = Instant.now();
        }
        stored = now;
        storedAccess = lastAccessedTime;
        used = false;
        written.clear();
        suspected.clear();
        if (repository.saves(SaveMode.ALWAYS)) {
            suspected.addAll(attributes.keySet());
        }
    }

    /** Returns a text without the id and the attributes, which are secrets. */
    @Override
    public String toString() {
        return "StoreSession[attributes=" + attributes.size() + "]";
    }
}
