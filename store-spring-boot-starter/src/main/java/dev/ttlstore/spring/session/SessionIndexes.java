package dev.ttlstore.spring.session;

import java.util.HashMap;
import java.util.Map;

import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.IndexResolver;
import org.springframework.session.MapSession;
import org.springframework.session.ReactiveFindByIndexNameSessionRepository;
import org.springframework.session.Session;

/**
 * The values by which sessions are found. Spring Session has two names for the index of users, and for the attribute that can set it: one
 * for servlets, one for reactive applications. Here they are the same, so that applications of both kinds find each other's sessions.
 */
final class SessionIndexes {

    private static final String USER = FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME;
    private static final String REACTIVE_USER = ReactiveFindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME;

    private final IndexResolver<Session> resolver;

    SessionIndexes(IndexResolver<Session> resolver) {
        this.resolver = resolver;
    }

    /** Returns the name under which an index is stored. */
    static String stored(String name) {
        return name.equals(REACTIVE_USER) ? USER : name;
    }

    /** Returns the values of a session, by the stored names of the indexes. */
    Map<String, String> of(MapSession copy) {
        nameAlso(copy, USER, REACTIVE_USER);
        nameAlso(copy, REACTIVE_USER, USER);
        Map<String, String> resolved = resolver.resolveIndexesFor(copy);
        String user = resolved.get(REACTIVE_USER);
        if (user == null) {
            return resolved;
        }
        Map<String, String> stored = new HashMap<>(resolved);
        stored.remove(REACTIVE_USER);
        stored.putIfAbsent(USER, user);
        return stored;
    }

    private static void nameAlso(MapSession copy, String name, String other) {
        Object user = copy.getAttribute(name);
        if (user != null && copy.getAttribute(other) == null) {
            copy.setAttribute(other, user);
        }
    }
}
