package dev.ttlstore.spring.session;

import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.events.SessionCreatedEvent;
import org.springframework.session.events.SessionDeletedEvent;
import org.springframework.session.events.SessionExpiredEvent;

import dev.ttlstore.LiveKeyspace;

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
 *   <li>A session that cannot be read, such as one whose classes have changed with a release, is absent. Only searches by an index find
 *       it, without its attributes, so that {@link #deleteById} can end all sessions of a user: another release may still read it.
 *   <li>Entries have the hash of the session's id as their key.
 * </ul>
 */
public final class StoreSessionRepository implements FindByIndexNameSessionRepository<StoreSession> {

    /** The group that holds the sessions. */
    public static final String GROUP = SessionEntries.SESSIONS;

    /** The group that holds what sessions are found by. It has no values, and its keys are hashes. */
    public static final String INDEX_GROUP = SessionEntries.INDEX;

    private final Sessions sessions;

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
        this.sessions = new Sessions(
                this,
                Objects.requireNonNull(store, "'store' must not be null"),
                Objects.requireNonNull(settings, "'settings' must not be null"),
                Objects.requireNonNull(publisher, "'publisher' must not be null"),
                new SessionBeans(beans));
    }

    @Override
    public StoreSession createSession() {
        return sessions.create();
    }

    @Override
    public void save(StoreSession session) {
        sessions.save(Objects.requireNonNull(session, "'session' must not be null"));
    }

    @Override
    public @Nullable StoreSession findById(@Nullable String id) {
        return sessions.find(id);
    }

    @Override
    public Map<String, StoreSession> findByIndexNameAndIndexValue(
            @Nullable String indexName, @Nullable String indexValue) {
        return sessions.find(indexName, indexValue);
    }

    @Override
    public void deleteById(@Nullable String id) {
        sessions.delete(id);
    }

    Sessions sessions() {
        return sessions;
    }
}
