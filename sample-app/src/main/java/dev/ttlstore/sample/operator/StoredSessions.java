package dev.ttlstore.sample.operator;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.serializer.support.DeserializingConverter;
import org.springframework.core.serializer.support.SerializationFailedException;
import org.springframework.core.serializer.support.SerializingConverter;
import org.springframework.session.MapSession;
import org.springframework.session.SessionRepository;
import org.springframework.stereotype.Component;

import dev.ttlstore.Group;
import dev.ttlstore.Keyspace;
import dev.ttlstore.Store;
import dev.ttlstore.sample.web.Hashes;

/**
 * The sessions of operators, in the store. So a login holds on every node, and survives a restart. A session expires
 * when it has not been used for a while. It is stored under the hash of its id and is encrypted: nobody can use or
 * forge one who only has the database.
 */
@Component
class StoredSessions implements SessionRepository<MapSession> {

    static final String GROUP = "sessions";

    private static final Logger log = LoggerFactory.getLogger(StoredSessions.class);

    /** The attribute of a session that was stored before. */
    private static final String STORED = StoredSessions.class.getName() + ".stored";

    private final SerializingConverter serializer = new SerializingConverter();
    private final DeserializingConverter deserializer =
            new DeserializingConverter(StoredSessions.class.getClassLoader());
    private final Store store;
    private final Duration timeout;

    StoredSessions(Store store, @Value("${server.servlet.session.timeout}") Duration timeout) {
        this.store = store;
        this.timeout = timeout;
    }

    @Override
    public MapSession createSession() {
        MapSession session = new MapSession();
        session.setMaxInactiveInterval(timeout);
        return session;
    }

    /** Stores a session. One that was stored before and has ended meanwhile, by a logout on another node, stays ended. */
    @Override
    public void save(MapSession session) {
        boolean stored = session.getAttribute(STORED) != null;
        session.setAttribute(STORED, true);
        // The copy has the new id only, if the login has changed it.
        byte[] bytes = serializer.convert(new MapSession(session));
        String id = Hashes.of(session.getId());
        store.transact(tx -> {
            // Its entry may have either id, because a request may save it more than once.
            boolean renamed = of(tx).delete(Hashes.of(session.getOriginalId()));
            if (!stored || renamed || of(tx).contains(id)) {
                of(tx).put(id, bytes, session.getMaxInactiveInterval());
            }
            return id;
        });
    }

    @Override
    public @Nullable MapSession findById(String id) {
        Optional<byte[]> bytes = of(store).get(Hashes.of(id));
        try {
            return bytes.map(deserializer::convert).map(MapSession.class::cast).orElse(null);
        } catch (SerializationFailedException e) {
            log.info("A session of another version cannot be read, so its operator has to log in again");
            return null;
        }
    }

    @Override
    public void deleteById(String id) {
        of(store).delete(Hashes.of(id));
    }

    private static Group<byte[]> of(Keyspace keyspace) {
        return keyspace.group(GROUP, byte[].class);
    }
}
