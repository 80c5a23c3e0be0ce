package dev.ttlstore.spring.security;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.client.oidc.authentication.logout.OidcLogoutToken;
import org.springframework.security.oauth2.client.oidc.session.OidcSessionInformation;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;

import dev.ttlstore.Codec;
import dev.ttlstore.CompositeKey;
import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.TextGroup;
import dev.ttlstore.WriteBatch;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.spring.session.SessionFollower;
import dev.ttlstore.spring.transaction.OutsideTransaction;

/**
 * Logins at OpenID providers, for the registries of both kinds of applications, which add only how they are called. Its methods wait for
 * the store. A login is one entry, and one more for each hash by which a logout finds it. Thread-safe.
 */
final class OidcSessions implements SessionFollower {

    /** The group that holds the logins, by the hash of the session's id. */
    static final String GROUP = "oidc-sessions";

    /** The group that finds them. Its keys are the hashes of {@link OidcLogins} and of the session's id. */
    static final String INDEX_GROUP = "oidc-session-index";

    /** How many intervals of its session a login lives at least, as the entries that find sessions do. */
    private static final int INTERVALS = 4;

    private final LiveKeyspace store;
    private final Group<StoredOidcSession> sessions;
    private final TextGroup index;
    private final Duration ttl;
    private final Codec<Object> users;

    OidcSessions(LiveKeyspace store, Duration ttl, Codec<Object> users) {
        this.store = OutsideTransaction.of(store);
        this.sessions = this.store.group(GROUP, StoredOidcSession.CODEC);
        this.index = this.store.group(INDEX_GROUP);
        this.ttl = requirePositive(Objects.requireNonNull(ttl, "'ttl' must not be null"));
        this.users = Objects.requireNonNull(users, "'users' must not be null");
    }

    static Duration requirePositive(Duration ttl) {
        if (ttl.isZero() || ttl.isNegative()) {
            throw new IllegalArgumentException("'ttl' must be more than zero, but is " + ttl);
        }
        return ttl;
    }

    void save(OidcSessionInformation session) {
        StoredOidcSession stored = new StoredOidcSession(
                session.getSessionId(),
                OidcLogins.of(session.getPrincipal()),
                session.getAuthorities(),
                users.encode(session.getPrincipal()));
        String key = Hash.of(stored.sessionId());
        boolean done = false;
        while (!done) {
            WriteBatch batch = store.batch();
            read(key).ifPresent(before -> replace(batch, key, before, stored));
            done = put(batch, key, stored).write();
        }
    }

    /** Removes the login of a session. One that cannot be read ends as well, because its session does. */
    @Nullable
    OidcSessionInformation remove(String sessionId) {
        return take(Hash.of(sessionId)).flatMap(this::restore).orElse(null);
    }

    private Optional<StoredOidcSession> take(String key) {
        while (true) {
            Optional<Entry<StoredOidcSession>> found = read(key);
            if (found.isEmpty()) {
                boolean unused = sessions.delete(key);
                return Optional.empty();
            }
            if (delete(store.batch(), key, found.get()).write()) {
                return found.map(Entry::value);
            }
        }
    }

    /** Removes the logins that a logout ends. Of several calls at once, also in several instances, one gets each. */
    List<OidcSessionInformation> remove(OidcLogoutToken token) {
        List<String> logins = OidcLogins.of(token);
        Set<String> keys = new LinkedHashSet<>();
        for (String login : logins) {
            index.keys(CompositeKey.startingWith(login))
                    .forEach(key -> keys.add(CompositeKey.parts(key).get(1)));
        }
        List<OidcSessionInformation> removed = new ArrayList<>();
        keys.forEach(key -> removeIfOf(logins, key).ifPresent(removed::add));
        return removed;
    }

    /** One whose user cannot be read stays, because another release may still be able to end it. */
    private Optional<OidcSessionInformation> removeIfOf(List<String> logins, String key) {
        while (true) {
            Optional<Entry<StoredOidcSession>> found =
                    read(key).filter(entry -> entry.value().logins().stream().anyMatch(logins::contains));
            Optional<OidcSessionInformation> restored = found.flatMap(entry -> restore(entry.value()));
            if (restored.isEmpty()
                    || delete(store.batch(), key, found.orElseThrow()).write()) {
                return restored;
            }
        }
    }

    /** A login that the session has got since, under its new id, stays. */
    @Override
    public void moved(String id, String newId) {
        String key = Hash.of(id);
        String newKey = Hash.of(newId);
        boolean done = false;
        while (!done) {
            Optional<Entry<StoredOidcSession>> found = read(key);
            done = found.isEmpty() || move(key, found.get(), newKey, newId).write();
        }
    }

    private WriteBatch move(String key, Entry<StoredOidcSession> entry, String newKey, String newId) {
        WriteBatch batch = delete(store.batch(), key, entry);
        if (read(newKey).isPresent()) {
            return batch;
        }
        boolean isUnreadable = sessions.contains(newKey); // and replaced
        return put(
                isUnreadable ? batch : batch.requireAbsent(sessions, newKey),
                newKey,
                entry.value().withSessionId(newId));
    }

    @Override
    public void renewed(String id, Duration interval) {
        String key = Hash.of(id);
        Duration needed = interval.multipliedBy(INTERVALS);
        Duration full = needed.compareTo(ttl) > 0 ? needed : ttl;
        read(key).filter(entry -> isDue(entry, full)).ifPresent(entry -> {
            Expiry expiry = Expiry.after(full).ifLater();
            WriteBatch batch = store.batch().expire(sessions, key, expiry);
            indexKeys(entry.value(), key).forEach(indexed -> batch.expire(index, indexed, expiry));
            boolean unused = batch.write();
        });
    }

    /** Most renewals can be left out, because a login lives much longer than the interval of its session. */
    private static boolean isDue(Entry<StoredOidcSession> entry, Duration full) {
        return entry.ttl() != null && entry.ttl().compareTo(full.multipliedBy(3).dividedBy(4)) < 0;
    }

    @Override
    public void ended(String id) {
        Optional<StoredOidcSession> unused = take(Hash.of(id));
    }

    private Optional<Entry<StoredOidcSession>> read(String key) {
        // Not by get: what a near cache has may have ended.
        return Unreadable.asAbsent(GROUP, () -> sessions.entry(key));
    }

    private WriteBatch put(WriteBatch batch, String key, StoredOidcSession session) {
        Expiry expiry = Expiry.after(ttl);
        batch.put(sessions, key, session, expiry);
        indexKeys(session, key).forEach(indexed -> batch.put(index, indexed, "", expiry));
        return batch;
    }

    private void replace(WriteBatch batch, String key, Entry<StoredOidcSession> before, StoredOidcSession stored) {
        batch.requireVersion(sessions, key, before.version());
        List<String> kept = indexKeys(stored, key);
        indexKeys(before.value(), key).stream()
                .filter(indexed -> !kept.contains(indexed))
                .forEach(indexed -> batch.delete(index, indexed));
    }

    private WriteBatch delete(WriteBatch batch, String key, Entry<StoredOidcSession> entry) {
        batch.requireVersion(sessions, key, entry.version()).delete(sessions, key);
        indexKeys(entry.value(), key).forEach(indexed -> batch.delete(index, indexed));
        return batch;
    }

    private static List<String> indexKeys(StoredOidcSession session, String key) {
        return session.logins().stream()
                .map(login -> CompositeKey.of(login, key))
                .toList();
    }

    private Optional<OidcSessionInformation> restore(StoredOidcSession stored) {
        return Unreadable.asAbsent(GROUP, () -> {
            if (users.decode(stored.user()) instanceof OidcUser user) {
                return Optional.of(new OidcSessionInformation(stored.sessionId(), stored.headers(), user));
            }
            throw new CodecException("It is not a user of an OpenID provider");
        });
    }
}
