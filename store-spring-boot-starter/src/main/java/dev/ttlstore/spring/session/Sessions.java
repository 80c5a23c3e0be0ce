package dev.ttlstore.spring.session;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.session.FlushMode;
import org.springframework.session.SaveMode;

import dev.ttlstore.Entry;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.spring.expiry.ExpiryCalls;

/**
 * Sessions in a store, for the repositories of both kinds of applications, which add only how they are called. Its methods wait for the
 * store. Thread-safe.
 */
final class Sessions {

    private static final Logger log = LoggerFactory.getLogger(Sessions.class);

    private final SessionEntries entries;
    private final StoreSessionSettings settings;
    private final SessionAttributes attributes;
    private final SessionIndexes indexes;
    private final SessionEvents events;
    private final List<SessionFollower> followers;

    /** Creates the sessions of a repository, which is the source of their events. The beans are null without servlets. */
    Sessions(
            Object repository,
            LiveKeyspace store,
            StoreSessionSettings settings,
            ApplicationEventPublisher publisher,
            @Nullable SessionBeans beans,
            List<SessionFollower> followers) {
        this.entries = new SessionEntries(store);
        this.settings = settings;
        this.attributes = new SessionAttributes(settings.attributes(), beans);
        this.indexes = new SessionIndexes(settings.indexes());
        this.events = new SessionEvents(repository, publisher);
        this.followers = List.copyOf(followers);
    }

    StoreSession create() {
        StoreSession session = new StoreSession(this, newId(), settings.timeout());
        flush(session);
        return session;
    }

    void save(StoreSession session) {
        boolean isNew;
        session.saving().lock();
        try {
            SessionSnapshot snapshot = session.snapshot();
            SavedSession saved = snapshot.saved();
            isNew = saved == null;
            if (saved == null) {
                create(session, snapshot);
            } else {
                update(session, snapshot, saved);
            }
        } finally {
            session.saving().unlock();
        }
        if (isNew) {
            events.created(session);
        }
    }

    private void create(StoreSession session, SessionSnapshot snapshot) {
        Map<String, byte[]> encoded = new LinkedHashMap<>();
        snapshot.attributes()
                .forEach((name, value) ->
                        attributes.encode(name, value, session::drop).ifPresent(bytes -> encoded.put(name, bytes)));
        StoredSession created = new StoredSession(
                snapshot.id(), snapshot.creationTime(), snapshot.interval(), indexes.of(snapshot.copy()), encoded);
        entries.create(created, snapshot.remaining());
        session.saved(snapshot, created, 0);
        followers.forEach(follower -> follower.renewed(created.id(), created.ttl()));
    }

    private void update(StoreSession session, SessionSnapshot snapshot, SavedSession before) {
        SessionChange change = change(session, snapshot, before);
        if (change.isRenewalOnly() && !snapshot.isUsed()) {
            return;
        }
        StoredSession stored = before.session();
        OptionalLong saved = entries.save(change, stored, before.version());
        if (saved.isEmpty()) {
            log.debug("A session was not saved, because it has ended meanwhile");
        }
        session.saved(snapshot, stored.with(change), saved.orElse(0));
        if (saved.isPresent()) {
            follow(change, snapshot);
        }
    }

    private void follow(SessionChange change, SessionSnapshot snapshot) {
        String newId = change.newId();
        boolean isDue = newId != null || change.interval() != null || snapshot.isIndexDue();
        for (SessionFollower follower : followers) {
            if (newId != null) {
                follower.moved(change.id(), newId);
            }
            if (isDue) {
                follower.renewed(snapshot.id(), change.ttl());
            }
        }
    }

    private SessionChange change(StoreSession session, SessionSnapshot snapshot, SavedSession before) {
        StoredSession stored = before.session();
        Map<String, Optional<byte[]>> changed = changedAttributes(session, snapshot, stored);
        boolean canTellIndexes = session.isReadable() && !changed.isEmpty();
        Map<String, String> values = canTellIndexes ? indexes.of(snapshot.copy()) : stored.indexes();
        boolean otherInterval = !snapshot.interval().equals(stored.interval());
        return new SessionChange(
                stored.id(),
                snapshot.id().equals(stored.id()) ? null : snapshot.id(),
                otherInterval || snapshot.isUsed() ? snapshot.remaining() : Duration.ZERO,
                otherInterval || snapshot.lastAccessedTime().isBefore(before.lastAccess()),
                changed,
                otherInterval ? snapshot.interval() : null,
                values.equals(stored.indexes()) ? null : values,
                snapshot.isIndexDue() ? stored.indexes() : Map.of(),
                StoredSession.ttl(snapshot.interval()));
    }

    private Map<String, Optional<byte[]>> changedAttributes(
            StoreSession session, SessionSnapshot snapshot, StoredSession stored) {
        Map<String, Optional<byte[]>> changed = new HashMap<>();
        snapshot.changed().written().forEach(name -> changed.put(name, encode(session, snapshot, name)));
        for (String name : snapshot.changed().suspected()) {
            if (!changed.containsKey(name)) {
                Optional<byte[]> encoded = encode(session, snapshot, name);
                if (!Arrays.equals(encoded.orElse(null), stored.attributes().get(name))) {
                    changed.put(name, encoded);
                }
            }
        }
        return changed;
    }

    private Optional<byte[]> encode(StoreSession session, SessionSnapshot snapshot, String name) {
        return attributes.encode(name, snapshot.attributes().get(name), session::drop);
    }

    @Nullable
    StoreSession find(@Nullable String id) {
        if (id == null) { // as with Spring Session's own repositories, no session has no id
            return null;
        }
        return entries.find(id).map(this::load).orElse(null);
    }

    /** Finds also those that cannot be read, so that they can be deleted. */
    Map<String, StoreSession> find(@Nullable String indexName, @Nullable String indexValue) {
        Map<String, StoreSession> found = new LinkedHashMap<>();
        if (indexName == null || indexValue == null) {
            return found;
        }
        entries.find(SessionIndexes.stored(indexName), indexValue).forEach((id, entry) -> {
            boolean hasId = SessionKeys.ofStandIn(id).isEmpty();
            found.put(id, session(entry, hasId ? decoded(entry.value()) : null));
        });
        return found;
    }

    void delete(@Nullable String id) {
        if (id != null) {
            Optional<Entry<StoredSession>> deleted = entries.delete(id);
            deleted.map(this::load).ifPresent(events::deleted);
            ended(deleted.map(entry -> entry.value().id()).orElse(id)); // also one that could not be read
        }
    }

    private void ended(String id) {
        followers.forEach(follower -> follower.ended(id));
    }

    /** Publishes each expiry of a session. The result is null if the store is a mock. */
    @Nullable
    Subscription publishExpired(String subscriber, ExpiryCalls calls) {
        return entries.onExpired(subscriber, expired -> {
            StoredSession stored = expired.value();
            Instant lastAccess = expired.expiresAt().minus(stored.ttl());
            Map<String, Object> decoded = stored.isReadable() ? decoded(stored) : null;
            if (stored.isReadable()) {
                ended(stored.id());
            }
            if (decoded != null) {
                StoreSession session = new StoreSession(this, stored, 0, lastAccess, lastAccess, decoded);
                calls.run(subscriber, () -> events.expired(session));
            }
        });
    }

    /** Loads a session; null if it cannot be read. */
    private @Nullable StoreSession load(Entry<StoredSession> entry) {
        Map<String, Object> decoded = decoded(entry.value());
        return decoded == null ? null : session(entry, decoded);
    }

    /** Makes the session of an entry. Only time spans come from the store: its clock may differ from the application's. */
    private StoreSession session(Entry<StoredSession> entry, @Nullable Map<String, Object> decoded) {
        Instant now = Instant.now();
        if (entry.expiresAt() == null || entry.ttl() == null) { // made permanent by hand, or not known
            return new StoreSession(this, entry.value(), entry.version(), now, now, decoded);
        }
        Duration ttl = entry.value().ttl();
        Duration idle = ttl.minus(entry.ttl());
        Instant lastAccess = entry.expiresAt().minus(ttl);
        boolean isIndexDue = period(lastAccess, ttl) != period(lastAccess.plus(idle), ttl);
        return new StoreSession(
                this,
                entry.value(),
                entry.version(),
                now.minus(idle.isNegative() ? Duration.ZERO : idle),
                isIndexDue ? now.minus(ttl) : now,
                decoded);
    }

    /** Numbers the periods of a session's interval. The first access in each renews the indexes. */
    private static long period(Instant time, Duration ttl) {
        return Math.floorDiv(time.toEpochMilli(), Math.max(1, ttl.toMillis()));
    }

    private @Nullable Map<String, Object> decoded(StoredSession stored) {
        return attributes.decode(stored.attributes());
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
