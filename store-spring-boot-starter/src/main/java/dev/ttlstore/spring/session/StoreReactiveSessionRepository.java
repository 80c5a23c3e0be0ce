package dev.ttlstore.spring.session;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.session.FlushMode;
import org.springframework.session.ReactiveFindByIndexNameSessionRepository;
import org.springframework.session.ReactiveSessionRepository;

import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.spring.reactive.StoreCalls;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Keeps Spring Session's sessions of reactive applications in a store. Its entries and promises are those of
 * {@link StoreSessionRepository}, so applications of both kinds can share sessions. The repository and its sessions
 * are thread-safe.
 *
 * <pre>{@code
 * Mono<Void> logOutEverywhere(StoreReactiveSessionRepository sessions, String user) {
 *     return sessions.findByPrincipalName(user)
 *             .flatMapIterable(Map::keySet)
 *             .flatMap(sessions::deleteById)
 *             .then();
 * }
 * }</pre>
 *
 * <p>Each method returns a {@code Mono} that does nothing until it is subscribed to. Then it calls the store in a
 * thread of {@link Schedulers#boundedElastic()}, where listeners of events run as well, and signals the result there.
 * A call that has begun is finished even if its subscriber cancels it: a client that hangs up is logged out all the
 * same.
 *
 * @since 0.1
 * @see StoreSessionRepository
 * @see StoreCalls
 */
public final class StoreReactiveSessionRepository
        implements ReactiveSessionRepository<StoreSession>, ReactiveFindByIndexNameSessionRepository<StoreSession> {

    private final Sessions sessions;

    /**
     * Creates the repository.
     *
     * @param store the store or scope that holds the sessions
     * @param settings the settings; the flush mode cannot be immediate, because no method of {@code Session} returns a {@code Mono}
     * @param publisher publishes the events of sessions
     * @throws IllegalArgumentException if the flush mode of the settings is {@link FlushMode#IMMEDIATE}
     */
    public StoreReactiveSessionRepository(
            LiveKeyspace store, StoreSessionSettings settings, ApplicationEventPublisher publisher) {
        this(store, settings, publisher, List.of());
    }

    /**
     * Creates the repository with followers of its sessions.
     *
     * @param store the store or scope that holds the sessions
     * @param settings the settings; the flush mode cannot be immediate, because no method of {@code Session} returns a {@code Mono}
     * @param publisher publishes the events of sessions
     * @param followers keep data that belongs to sessions in step with them
     * @throws IllegalArgumentException if the flush mode of the settings is {@link FlushMode#IMMEDIATE}
     */
    public StoreReactiveSessionRepository(
            LiveKeyspace store,
            StoreSessionSettings settings,
            ApplicationEventPublisher publisher,
            List<SessionFollower> followers) {
        Objects.requireNonNull(settings, "'settings' must not be null");
        if (settings.flushMode() == FlushMode.IMMEDIATE) {
            throw new IllegalArgumentException(
                    "'settings' must have the flush mode ON_SAVE: a reactive session cannot write"
                            + " each change at once, because its methods return nothing to wait for");
        }
        this.sessions = new Sessions(
                this,
                Objects.requireNonNull(store, "'store' must not be null"),
                settings,
                Objects.requireNonNull(publisher, "'publisher' must not be null"),
                null,
                Objects.requireNonNull(followers, "'followers' must not be null"));
    }

    @Override
    public Mono<StoreSession> createSession() {
        return StoreCalls.get(() -> ready(sessions.create()));
    }

    @Override
    public Mono<Void> save(StoreSession session) {
        Objects.requireNonNull(session, "'session' must not be null");
        return StoreCalls.run(() -> {
            sessions.save(session);
            session.makeNextId();
        });
    }

    @Override
    public Mono<StoreSession> findById(@Nullable String id) {
        return StoreCalls.find(() -> Optional.ofNullable(sessions.find(id)).map(StoreReactiveSessionRepository::ready));
    }

    @Override
    public Mono<Map<String, StoreSession>> findByIndexNameAndIndexValue(
            @Nullable String indexName, @Nullable String indexValue) {
        return StoreCalls.get(() -> {
            Map<String, StoreSession> found = sessions.find(indexName, indexValue);
            found.values().forEach(StoreSession::makeNextId);
            return found;
        });
    }

    @Override
    public Mono<Void> deleteById(@Nullable String id) {
        return StoreCalls.run(() -> sessions.delete(id));
    }

    /** Returns a session whose methods do not block. */
    private static StoreSession ready(StoreSession session) {
        session.makeNextId();
        return session;
    }

    Sessions sessions() {
        return sessions;
    }
}
