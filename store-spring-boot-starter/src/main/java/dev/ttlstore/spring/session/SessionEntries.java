package dev.ttlstore.spring.session;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.Codec;
import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.TextGroup;
import dev.ttlstore.WriteBatch;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.expiry.ExpiryHandler;
import dev.ttlstore.spring.transaction.OutsideTransaction;

/**
 * The entries of sessions, and those by which they are found. What is written belongs to no transaction of the application. Thread-safe.
 *
 * <p>The entries of an index are stored and deleted together with the session, but live several times as long: they need a later
 * expiry only once per interval, and not at each access. A search reads the index and then the session's own entry, so it
 * never finds an expired session.
 */
final class SessionEntries {

    /** The group that holds the sessions, by the hashes of their ids. */
    static final String SESSIONS = "session";

    /** The group that holds an entry for each value of an index that a session has. */
    static final String INDEX = "session.index";

    /** The group that says which session has had an id until recently. */
    static final String RENAMED = "session.renamed";

    private static final Logger log = LoggerFactory.getLogger(SessionEntries.class);

    /** How long requests can run on that have begun before the id was changed. */
    private static final Duration RENAMED_TTL = Duration.ofMinutes(10);

    /**
     * How many intervals an index's entry lives. Two are needed: a session that is used in one interval may live until the end of the
     * next. The others are for requests that take long, and for clocks that differ.
     */
    private static final int INDEX_INTERVALS = 4;

    private static final int MOST_RENAMINGS = 8;

    private static final byte[] NOTHING = {};

    private final LiveKeyspace store;
    private final StoredSessionCodec codec = new StoredSessionCodec();
    private final Group<StoredSession> sessions;
    private final Group<byte[]> index;
    private final TextGroup renamed;

    SessionEntries(LiveKeyspace store) {
        this.store = OutsideTransaction.of(store);
        this.sessions = this.store.group(SESSIONS, codec);
        this.index = this.store.group(INDEX, Codec.bytes());
        this.renamed = this.store.group(RENAMED);
    }

    /** Calls a handler for each session that expires. The result is null if the store is a mock, which answers null. */
    @Nullable
    Subscription onExpired(String subscriber, ExpiryHandler<StoredSession> handler) {
        return store.onExpired(subscriber, SESSIONS, codec, handler);
    }

    Optional<Entry<StoredSession>> find(String id) {
        return read(SessionKeys.of(id));
    }

    private Optional<Entry<StoredSession>> read(String key) {
        try {
            return sessions.entry(key).filter(entry -> entry.value().isReadable());
        } catch (SealedValueException e) {
            log.warn("A session cannot be decrypted; it counts as absent. {}", e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Finds the sessions with a value of an index, by their ids. One whose entry cannot be read is found as well, without its id, so
     * that it can be deleted: another release may still be able to read it.
     */
    Map<String, Entry<StoredSession>> find(String indexName, String value) {
        List<String> keys =
                index.keys(SessionKeys.rangeOfIndex(indexName, value)).toList();
        Map<String, Entry<StoredSession>> present =
                readAll(keys.stream().map(SessionKeys::sessionKey).toList());
        Map<String, Entry<StoredSession>> found = new LinkedHashMap<>();
        for (String key : keys) {
            String sessionKey = SessionKeys.sessionKey(key);
            Optional.ofNullable(present.get(sessionKey))
                    .or(() -> current(sessionKey))
                    .map(entry -> Optional.of(entry)
                            .filter(read -> value.equals(read.value().indexes().get(indexName))))
                    .orElseGet(() -> unreadable(sessionKey))
                    .ifPresent(entry -> found.put(entry.value().id(), entry));
        }
        return found;
    }

    /** Reads sessions at once. Those that cannot be read are missing. */
    private Map<String, Entry<StoredSession>> readAll(List<String> keys) {
        try {
            Map<String, Entry<StoredSession>> all = new HashMap<>(sessions.entries(keys));
            all.values().removeIf(entry -> !entry.value().isReadable());
            return all;
        } catch (SealedValueException e) {
            return Map.of(); // each is read by itself
        }
    }

    /** Reads a session, also if it has got another id since its key was read. */
    private Optional<Entry<StoredSession>> current(String key) {
        Optional<Entry<StoredSession>> found = read(key);
        return found.isPresent() ? found : renamed.get(key).flatMap(this::read);
    }

    /** Returns what stands for an entry that is there although it cannot be read. Its version and times are not known. */
    private Optional<Entry<StoredSession>> unreadable(String key) {
        return Optional.of(key)
                .filter(sessions::contains)
                .or(() -> renamed.get(key).filter(sessions::contains))
                .map(there -> new Entry<>(
                        there, StoredSession.withoutId(there), 0, Instant.EPOCH, Instant.EPOCH, null, null));
    }

    void create(StoredSession session, Duration remaining) {
        String key = SessionKeys.of(session.id());
        boolean unused = withIndexes(store.batch(), indexKeys(session, key), session.ttl())
                .put(sessions, key, session, SessionChange.in(remaining))
                .write();
    }

    /**
     * Saves the changes of a request, also if the session has got another id since. Not if the request gives it another id as well: the
     * first one wins. Otherwise an attacker who has planted the id would reach the session of the user who was faster.
     *
     * @param stored the session as the request has read it
     * @param version the version of its entry then; 0 if it is not known. If the entry still has it, it is not read again
     * @return the version of what the request has read with its changes, 0 if others may have changed more; empty if the session is no
     *     longer there. One that was deleted or has expired meanwhile does not come back
     */
    OptionalLong save(SessionChange change, StoredSession stored, long version) {
        String key = SessionKeys.of(change.id());
        renewIndexes(indexKeys(change.renewedIndexes(), key), change.ttl());
        boolean replacesOnly = !change.isRenewalOnly() && !change.concernsIndexes();
        if (replacesOnly && version != 0) {
            OptionalLong replaced = sessions.replaceVersion(key, version, stored.with(change), change.expiry());
            if (replaced.isPresent()) {
                return replaced;
            }
        }
        for (int renamings = 0; renamings < MOST_RENAMINGS; renamings++) {
            OptionalLong saved = save(key, change, version);
            if (saved.isPresent()) {
                return saved;
            }
            Optional<String> next = change.newId() == null ? renamed.get(key) : Optional.empty();
            if (next.isEmpty()) {
                break;
            }
            key = next.get();
            renewIndexes(indexKeys(change.renewedIndexes(), key), change.ttl());
        }
        return OptionalLong.empty();
    }

    private OptionalLong save(String key, SessionChange change, long version) {
        if (change.isRenewalOnly()) {
            return sessions.expire(key, change.expiry()) ? OptionalLong.of(version) : OptionalLong.empty();
        }
        boolean replaced = change.concernsIndexes() ? replaceWithIndexes(key, change) : replace(key, change);
        return replaced ? OptionalLong.of(0) : OptionalLong.empty();
    }

    private boolean replace(String key, SessionChange change) {
        while (true) {
            Optional<Entry<StoredSession>> found = read(key);
            if (found.isEmpty()) {
                return false;
            }
            Entry<StoredSession> entry = found.get();
            OptionalLong replaced =
                    sessions.replaceVersion(key, entry.version(), entry.value().with(change), change.expiry());
            if (replaced.isPresent()) {
                return true;
            }
        }
    }

    private boolean replaceWithIndexes(String key, SessionChange change) {
        while (true) {
            Optional<Entry<StoredSession>> found = read(key);
            if (found.isEmpty()) {
                return false;
            }
            if (replacement(key, found.get(), change).write()) {
                return true;
            }
        }
    }

    private WriteBatch replacement(String key, Entry<StoredSession> entry, SessionChange change) {
        StoredSession changed = entry.value().with(change);
        String newKey = SessionKeys.of(changed.id());
        WriteBatch batch = store.batch().requireVersion(sessions, key, entry.version());
        if (!newKey.equals(key)) {
            batch.delete(sessions, key).put(renamed, key, newKey, Expiry.after(RENAMED_TTL));
        }
        batch.put(sessions, newKey, changed, change.expiryInsteadOf(entry.ttl()));
        Set<String> current = indexKeys(changed, newKey);
        indexKeys(entry.value(), key).stream()
                .filter(old -> !current.contains(old))
                .forEach(old -> batch.delete(index, old));
        return withIndexes(batch, current, changed.ttl());
    }

    private static Set<String> indexKeys(StoredSession session, String key) {
        return indexKeys(session.indexes(), key);
    }

    private static Set<String> indexKeys(Map<String, String> indexes, String key) {
        return indexes.entrySet().stream()
                .map(indexed -> SessionKeys.ofIndex(indexed.getKey(), indexed.getValue(), key))
                .collect(Collectors.toSet());
    }

    private WriteBatch withIndexes(WriteBatch batch, Set<String> keys, Duration ttl) {
        keys.forEach(key -> batch.put(index, key, NOTHING, indexExpiry(ttl)));
        return batch;
    }

    /**
     * Renews before the session, so that the entries of an index never expire earlier than it does. Creates none, because the session
     * may have ended.
     */
    private void renewIndexes(Set<String> keys, Duration ttl) {
        if (!keys.isEmpty()) {
            long unused = index.expireAll(keys, indexExpiry(ttl).ifLater());
        }
    }

    private static Expiry indexExpiry(Duration ttl) {
        return SessionChange.in(ttl.multipliedBy(INDEX_INTERVALS));
    }

    /**
     * Deletes a session, also under an id that it had until recently, or that stands in for one. Returns it unless it was not there or
     * cannot be read.
     */
    Optional<Entry<StoredSession>> delete(String id) {
        String key = SessionKeys.of(id);
        Optional<Entry<StoredSession>> deleted = deleteAt(key);
        for (int renamings = 0; deleted.isEmpty() && renamings < MOST_RENAMINGS; renamings++) {
            Optional<String> next = renamed.get(key);
            if (next.isEmpty()) {
                break;
            }
            key = next.get();
            deleted = deleteAt(key);
        }
        return deleted.or(() -> SessionKeys.ofStandIn(id).flatMap(this::deleteAt));
    }

    private Optional<Entry<StoredSession>> deleteAt(String key) {
        while (true) {
            Optional<Entry<StoredSession>> found = read(key);
            if (found.isEmpty()) {
                boolean unused = sessions.delete(key);
                return found;
            }
            Entry<StoredSession> entry = found.get();
            WriteBatch batch =
                    store.batch().requireVersion(sessions, key, entry.version()).delete(sessions, key);
            indexKeys(entry.value(), key).forEach(indexed -> batch.delete(index, indexed));
            if (batch.write()) {
                return found;
            }
        }
    }
}
