package dev.ttlstore.spring.session;

import java.util.List;
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
 * Keeps Spring Session's sessions in a store. A session is one entry of the group {@value #GROUP}. The entry expires
 * when no request has used the session for its interval. Instances that share the store share the sessions. The
 * starter registers a repository with {@code store.session.enabled=true}. Thread-safe.
 *
 * <pre>{@code
 * void logOutEverywhere(StoreSessionRepository sessions, String user) {
 *     sessions.findByPrincipalName(user).keySet().forEach(sessions::deleteById);
 * }
 * }</pre>
 *
 * <ul>
 *   <li>Requests of one session that change different attributes do not undo each other's changes.
 *   <li>If two requests change the id of one session, the first wins. The repository saves nothing of the other one.
 *   <li>A session that was deleted or has expired does not come back when a running request saves it.
 *   <li>Events have the session with its attributes. The instance that creates or deletes a session then publishes the
 *       {@link SessionCreatedEvent} or {@link SessionDeletedEvent}. {@link SessionExpiries} publishes the
 *       {@link SessionExpiredEvent}.
 *   <li>A session that cannot be read, for example after a release has changed its classes, is absent. Only searches
 *       by an index find it, without its attributes, so {@link #deleteById} can end all sessions of a user. Another
 *       release may still read it.
 *   <li>The key of an entry is the hash of the session's id.
 * </ul>
 *
 * @since 0.1
 * @see StoreReactiveSessionRepository
 * @see StoreSession
 * @see SessionExpiries
 */
public final class StoreSessionRepository implements FindByIndexNameSessionRepository<StoreSession> {

    /** The group that holds the sessions. */
    public static final String GROUP = SessionEntries.SESSIONS;

    /** The group of the indexes that find sessions. It has no values, and its keys are hashes. */
    public static final String INDEX_GROUP = SessionEntries.INDEX;

    private final Sessions sessions;

    /**
     * Creates the repository for an application without session-scoped beans.
     *
     * @param store the store or scope that holds the sessions
     * @param settings the settings
     * @param publisher publishes the events of sessions
     */
    public StoreSessionRepository(
            LiveKeyspace store, StoreSessionSettings settings, ApplicationEventPublisher publisher) {
        this(store, settings, publisher, null, List.of());
    }

    /**
     * Creates the repository.
     *
     * @param store the store or scope that holds the sessions
     * @param settings the settings
     * @param publisher publishes the events of sessions
     * @param beans destroys session-scoped beans when they are removed from a session; null if there are none
     * @param followers keep data that belongs to sessions in step with them
     */
    public StoreSessionRepository(
            LiveKeyspace store,
            StoreSessionSettings settings,
            ApplicationEventPublisher publisher,
            @Nullable ConfigurableListableBeanFactory beans,
            List<SessionFollower> followers) {
        this.sessions = new Sessions(
                this,
                Objects.requireNonNull(store, "'store' must not be null"),
                Objects.requireNonNull(settings, "'settings' must not be null"),
                Objects.requireNonNull(publisher, "'publisher' must not be null"),
                new SessionBeans(beans),
                Objects.requireNonNull(followers, "'followers' must not be null"));
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
