package dev.ttlstore.spring.session;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.FlushMode;
import org.springframework.session.SaveMode;
import org.springframework.session.events.SessionCreatedEvent;
import org.springframework.session.events.SessionDeletedEvent;
import org.springframework.session.events.SessionExpiredEvent;

import dev.ttlstore.Entry;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.spring.expiry.ExpiryCalls;

/**
 * Spring Session's sessions in a store. A session is one entry of the group {@value #GROUP}, which expires when the session has not been
 * used for its interval. Instances that share the store share the sessions. Thread-safe.
 *
 * <ul>
 *   <li>Requests of one session that change different attributes do not undo each other's changes.
 *   <li>Of two requests that give one session another id, the first wins, and nothing of the other one is saved.
 *   <li>A session that was deleted or has expired does not come back when a request saves it that has begun before.
 *   <li>Events have the session with its attributes. {@link SessionCreatedEvent} and {@link SessionDeletedEvent} are published by the
 *       instance that creates or deletes the session, when that is done. {@link SessionExpiries} publishes {@link SessionExpiredEvent}.
 *   <li>A session that cannot be read, such as one whose classes have changed with a release, is absent.
 *   <li>Entries have the hash of the session's id as their key.
 * </ul>
 */
public final class StoreSessionRepository implements FindByIndexNameSessionRepository<StoreSession> {

    /** The group that holds the sessions. */
    public static final String GROUP = SessionEntries.SESSIONS;

    /** The group that holds what sessions are found by. It has no values, and its keys are hashes. */
    public static final String INDEX_GROUP = SessionEntries.INDEX;

    private static final Logger log = LoggerFactory.getLogger(StoreSessionRepository.class);

    private final SessionEntries entries;
    private final StoreSessionSettings settings;
    private final SessionEvents events;
    private final SessionBeans beans;

    /**
     * Creates the repository of an application without beans whose scope is the session.
     *
     * @param store the store or scope that holds the sessions
     * @param settings the settings
     * @param publisher publishes the events of sessions
     */
    public StoreSessionRepository(
            LiveKeyspace store, StoreSessionSettings settings, ApplicationEventPublisher publisher) {
        this(store, settings, publisher, null);
    }

    /**
     * Creates the repository.
     *
     * @param store the store or scope that holds the sessions
     * @param settings the settings
     * @param publisher publishes the events of sessions
     * @param beans destroys the beans of a session that are removed from it; null if there are none
     */
    public StoreSessionRepository(
            LiveKeyspace store,
            StoreSessionSettings settings,
            ApplicationEventPublisher publisher,
            @Nullable ConfigurableListableBeanFactory beans) {
        this.beans = new SessionBeans(beans);
        this.entries = new SessionEntries(Objects.requireNonNull(store, "'store' must not be null"));
        this.settings = Objects.requireNonNull(settings, "'settings' must not be null");
        this.events = new SessionEvents(Objects.requireNonNull(publisher, "'publisher' must not be null"));
    }

    @Override
    public StoreSession createSession() {
        StoreSession session = new StoreSession(this, newId(), settings.timeout());
        flush(session);
        return session;
    }

    @Override
    public void save(StoreSession session) {
        StoredSession stored =
                Objects.requireNonNull(session, "'session' must not be null").stored();
        if (stored == null) {
            create(session);
        } else {
            update(session, stored);
        }
    }

    private void create(StoreSession session) {
        Map<String, byte[]> attributes = new LinkedHashMap<>();
        session.getAttributeNames()
                .forEach(name -> encode(session, name).ifPresent(bytes -> attributes.put(name, bytes)));
        StoredSession created = new StoredSession(
                session.getId(),
                session.getCreationTime(),
                session.getMaxInactiveInterval(),
                settings.indexes().resolveIndexesFor(session.copy()),
                attributes);
        entries.create(created, session.remaining());
        session.saved(created);
        events.publish(new SessionCreatedEvent(this, session));
    }

    private void update(StoreSession session, StoredSession stored) {
        SessionChange change = change(session, stored);
        if (change.isRenewalOnly() && !session.isUsed()) {
            return;
        }
        boolean saved = entries.save(change);
        if (!saved) {
            log.debug("A session was not saved, because it has ended meanwhile");
        }
        session.saved(stored.with(change));
    }

    private SessionChange change(StoreSession session, StoredSession stored) {
        Map<String, Optional<byte[]>> attributes = changedAttributes(session, stored);
        Map<String, String> indexes =
                attributes.isEmpty() ? stored.indexes() : settings.indexes().resolveIndexesFor(session.copy());
        boolean otherInterval = !session.getMaxInactiveInterval().equals(stored.interval());
        return new SessionChange(
                stored.id(),
                session.getId().equals(stored.id()) ? null : session.getId(),
                otherInterval || session.isUsed() ? session.remaining() : Duration.ZERO,
                otherInterval || session.getLastAccessedTime().isBefore(session.storedAccess()),
                attributes,
                otherInterval ? session.getMaxInactiveInterval() : null,
                indexes.equals(stored.indexes()) ? null : indexes,
                session.isIndexDue() ? stored.indexes() : Map.of(),
                StoredSession.ttl(session.getMaxInactiveInterval()));
    }

    private Map<String, Optional<byte[]>> changedAttributes(StoreSession session, StoredSession stored) {
        Map<String, Optional<byte[]>> changed = new HashMap<>();
        session.written().forEach(name -> changed.put(name, encode(session, name)));
        for (String name : session.suspected()) {
            if (!changed.containsKey(name)) {
                Optional<byte[]> encoded = encode(session, name);
                if (!Arrays.equals(encoded.orElse(null), stored.attributes().get(name))) {
                    changed.put(name, encoded);
                }
            }
        }
        return changed;
    }

    private Optional<byte[]> encode(StoreSession session, String name) {
        Object value = session.value(name);
        if (value == null) {
            return Optional.empty();
        }
        if (SessionBeans.isEnd(name, value)) {
            return Optional.of(SessionBeans.mark());
        }
        try {
            return Optional.of(settings.attributes().encode(value));
        } catch (CodecException e) {
            String problem = "The attribute '" + name + "' of a session, of "
                    + value.getClass().getName() + ", cannot be stored. " + e.getMessage();
            if (value instanceof Throwable) {
                // Such as that of a failed login, with whatever has caused it. The next page tells less without it,
                // which
                // is better than no page.
                log.warn("An exception is left out of a session. {}", problem);
                return Optional.empty();
            }
            // Or the error page, which saves the session once more, would fail as well.
            session.drop(name);
            throw new CodecException(problem);
        }
    }

    @Override
    public @Nullable StoreSession findById(@Nullable String id) {
        if (id == null) { // as with Spring Session's own repositories, no session has no id
            return null;
        }
        return entries.find(id).map(this::load).orElse(null);
    }

    @Override
    public Map<String, StoreSession> findByIndexNameAndIndexValue(
            @Nullable String indexName, @Nullable String indexValue) {
        Map<String, StoreSession> found = new LinkedHashMap<>();
        if (indexName == null || indexValue == null) {
            return found;
        }
        entries.find(indexName, indexValue).forEach((id, entry) -> {
            StoreSession session = load(entry);
            if (session != null) {
                found.put(id, session);
            }
        });
        return found;
    }

    @Override
    public void deleteById(@Nullable String id) {
        if (id == null) {
            return;
        }
        entries.delete(id).map(this::load).ifPresent(session -> events.publish(new SessionDeletedEvent(this, session)));
    }

    /** Publishes each expiry of a session. The result is null if the store is a mock. */
    @Nullable
    Subscription publishExpired(String subscriber, ExpiryCalls calls) {
        return entries.onExpired(subscriber, expired -> {
            StoredSession stored = expired.value();
            Instant lastAccess = expired.expiresAt().minus(stored.ttl());
            StoreSession session = stored.isReadable() ? load(stored, lastAccess, lastAccess) : null;
            if (session != null) {
                calls.run(subscriber, () -> events.publishReliably(new SessionExpiredEvent(this, session)));
            }
        });
    }

    /** Loads a session. Only time spans come from the store: its clock may differ from the application's. */
    private @Nullable StoreSession load(Entry<StoredSession> entry) {
        Instant now = Instant.now();
        if (entry.expiresAt() == null || entry.ttl() == null) { // made permanent by hand
            return load(entry.value(), now, now);
        }
        Duration ttl = entry.value().ttl();
        Duration idle = ttl.minus(entry.ttl());
        Instant lastAccess = entry.expiresAt().minus(ttl);
        boolean isIndexDue = period(lastAccess, ttl) != period(lastAccess.plus(idle), ttl);
        return load(
                entry.value(), now.minus(idle.isNegative() ? Duration.ZERO : idle), isIndexDue ? now.minus(ttl) : now);
    }

    /** Numbers the periods of a session's interval. The first access in each renews the indexes. */
    private static long period(Instant time, Duration ttl) {
        return Math.floorDiv(time.toEpochMilli(), Math.max(1, ttl.toMillis()));
    }

    private @Nullable StoreSession load(StoredSession stored, Instant lastAccessedTime, Instant indexed) {
        Map<String, Object> attributes = new HashMap<>();
        Set<String> ends = new HashSet<>();
        for (Map.Entry<String, byte[]> attribute : stored.attributes().entrySet()) {
            if (SessionBeans.isMark(attribute.getKey(), attribute.getValue())) {
                ends.add(attribute.getKey());
                continue;
            }
            try {
                attributes.put(attribute.getKey(), settings.attributes().decode(attribute.getValue()));
            } catch (CodecException e) {
                log.warn(
                        "A session counts as absent, because its attribute '{}' cannot be read. {}",
                        attribute.getKey(),
                        e.getMessage());
                return null;
            }
        }
        beans.addEnds(ends, attributes);
        return new StoreSession(this, stored, lastAccessedTime, indexed, attributes);
    }

    StoreSessionSettings settings() {
        return settings;
    }

    String newId() {
        return settings.ids().generate();
    }

    boolean saves(SaveMode mode) {
        return settings.saveMode() == mode;
    }

    void flush(StoreSession session) {
        if (settings.flushMode() == FlushMode.IMMEDIATE) {
            save(session);
        }
    }
}
