package dev.ttlstore.spring.session;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.core.session.ReactiveSessionInformation;
import org.springframework.session.FlushMode;
import org.springframework.session.IndexResolver;
import org.springframework.session.PrincipalNameIndexResolver;
import org.springframework.session.ReactiveFindByIndexNameSessionRepository;
import org.springframework.session.SaveMode;
import org.springframework.session.Session;
import org.springframework.session.events.AbstractSessionEvent;
import org.springframework.session.events.SessionCreatedEvent;
import org.springframework.session.events.SessionDeletedEvent;
import org.springframework.session.events.SessionExpiredEvent;
import org.springframework.session.security.SpringSessionBackedReactiveSessionRegistry;
import org.springframework.web.context.request.ServletRequestAttributes;

import dev.ttlstore.Store;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.expiry.ExpiryCalls;

import io.micrometer.observation.ObservationRegistry;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/** Sessions of reactive applications: how the store is called, and what other repositories got wrong. The rest is that of the contract. */
class StoreReactiveSessionTests extends SessionKit {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final Store store = Store.inMemory();

    @Override
    Store store() {
        return store;
    }

    @AfterEach
    void close() {
        store.close();
    }

    private StoreReactiveSessionRepository reactive() {
        return reactive(settings());
    }

    private StoreReactiveSessionRepository reactive(StoreSessionSettings settings) {
        return new StoreReactiveSessionRepository(store, settings, event -> events.add((AbstractSessionEvent) event));
    }

    private static <T> @Nullable T get(Mono<T> call) {
        return call.block(LONG);
    }

    private static StoreSession created(StoreReactiveSessionRepository sessions) {
        return requireNonNull(get(sessions.createSession()));
    }

    private static StoreSession stored(StoreReactiveSessionRepository sessions, String... attributes) {
        StoreSession session = created(sessions);
        for (int i = 0; i < attributes.length; i += 2) {
            session.setAttribute(attributes[i], attributes[i + 1]);
        }
        get(sessions.save(session));
        return session;
    }

    private static StoreSession loaded(StoreReactiveSessionRepository sessions, String id) {
        return requireNonNull(get(sessions.findById(id)));
    }

    private long sessionsInTheStore() {
        return store.group(StoreSessionRepository.GROUP).count();
    }

    @Test
    void applicationsOfBothKindsShareSessions() {
        StoreReactiveSessionRepository sessions = reactive();
        String id = stored(sessions, "a", "b", PRINCIPAL, "ann").getId();
        assertThat(found(repository(), id).<String>getAttribute("a")).isEqualTo("b");
        String other = saved(repository(), PRINCIPAL, "ann").getId();
        assertThat(get(sessions.findByPrincipalName("ann"))).containsOnlyKeys(id, other);
        get(sessions.deleteById(id));
        assertThat(repository().findById(id)).isNull();
        assertThat(get(sessions.findById(id))).isNull();
        assertThat(get(sessions.findByPrincipalName("ann"))).containsOnlyKeys(other);
    }

    @Test
    void allSessionsOfAUserEndAtOnce() {
        StoreReactiveSessionRepository sessions = reactive();
        String id = stored(sessions, PRINCIPAL, "ann").getId();
        stored(sessions, PRINCIPAL, "ann");
        String other = stored(sessions, PRINCIPAL, "bob").getId();
        get(logOutEverywhere(sessions));
        assertThat(get(sessions.findById(id))).isNull();
        assertThat(get(sessions.findByPrincipalName("ann"))).isEmpty();
        assertThat(get(sessions.findById(other))).isNotNull();
    }

    private static Mono<Void> logOutEverywhere(StoreReactiveSessionRepository sessions) {
        return sessions.findByPrincipalName("ann")
                .flatMapIterable(Map::keySet)
                .flatMap(sessions::deleteById)
                .then();
    }

    /** Both repositories left it out, so it lived on for a release that can read it. */
    @Test
    void allSessionsOfAUserAreDeletedAlsoThoseThatCannotBeRead() {
        StoreSession login = created(reactive());
        login.setAttribute(CONTEXT, login("ann"));
        get(reactive().save(login));
        StoreReactiveSessionRepository other = reactive(StoreSessionSettings.of(
                Duration.ofMinutes(30), new JavaCodec(AllowedClasses.of(List.of()), "some.property", null)));
        assertThat(get(other.findById(login.getId()))).isNull();
        assertThat(get(other.findByPrincipalName("ann"))).containsOnlyKeys(login.getId());
        Flux<Void> ended = new SpringSessionBackedReactiveSessionRegistry<>(other, other)
                .getAllSessions("ann")
                .flatMap(ReactiveSessionInformation::invalidate);
        ended.blockLast(LONG);
        assertThat(get(reactive().findById(login.getId()))).isNull();
        assertThat(store.count()).isZero();
    }

    /** Spring Session names it differently for the two kinds of applications. */
    @Test
    void theIndexOfUsersIsOneForBothKinds() {
        String reactiveName = ReactiveFindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME;
        StoreReactiveSessionRepository sessions = reactive();
        String byAttribute = stored(sessions, reactiveName, "ann").getId();
        StoreSession login = created(sessions);
        login.setAttribute(CONTEXT, login("ann"));
        get(sessions.save(login));
        StoreSessionSettings given = settings();
        StoreReactiveSessionRepository resolving = reactive(new StoreSessionSettings(
                given.timeout(),
                given.saveMode(),
                given.flushMode(),
                given.attributes(),
                new PrincipalNameIndexResolver<>(reactiveName),
                given.ids()));
        String byResolver = stored(resolving, PRINCIPAL, "ann").getId();
        assertThat(get(sessions.findByPrincipalName("ann"))).containsOnlyKeys(byAttribute, login.getId(), byResolver);
        assertThat(repository().findByPrincipalName("ann")).containsOnlyKeys(byAttribute, login.getId(), byResolver);
        StoreSession there = found(repository(), byAttribute);
        there.setAttribute("other", "value");
        repository().save(there);
        assertThat(get(sessions.findByPrincipalName("ann"))).containsKey(byAttribute);
    }

    @Test
    void eventsHaveTheSessionAndTheRepository() {
        StoreReactiveSessionRepository sessions = reactive();
        String id = stored(sessions, "a", "b").getId();
        get(sessions.deleteById(id));
        get(sessions.deleteById(id));
        assertThat(events).hasSize(2);
        assertThat(events.get(0)).isInstanceOf(SessionCreatedEvent.class);
        AbstractSessionEvent deleted = events.get(1);
        assertThat(deleted).isInstanceOf(SessionDeletedEvent.class);
        assertThat(deleted.getSource()).isSameAs(sessions);
        assertThat(deleted.<StoreSession>getSession().<String>getAttribute("a")).isEqualTo("b");
    }

    @Test
    void anExpiredSessionIsPublished() {
        StoreReactiveSessionRepository sessions = reactive();
        SessionExpiries expiries = new SessionExpiries(sessions, new ExpiryCalls(ObservationRegistry.NOOP));
        expiries.start();
        StoreSession session = stored(sessions, "a", "b");
        session.setLastAccessedTime(Instant.now().minus(Duration.ofMinutes(31)));
        get(sessions.save(session));
        await().until(() -> events.size() == 2);
        assertThat(events.get(1)).isInstanceOf(SessionExpiredEvent.class);
        assertThat(events.get(1).getSessionId()).isEqualTo(session.getId());
        expiries.stop();
    }

    @Test
    void nothingHappensBeforeASubscriber() {
        StoreReactiveSessionRepository sessions = reactive();
        StoreSession session = created(sessions);
        Mono<Void> save = sessions.save(session);
        session.setAttribute("a", "b");
        assertThat(sessionsInTheStore()).isZero();
        get(save);
        assertThat(loaded(sessions, session.getId()).<String>getAttribute("a")).isEqualTo("b");
        Mono<Void> delete = sessions.deleteById(session.getId());
        assertThat(sessionsInTheStore()).isEqualTo(1);
        get(delete);
        assertThat(sessionsInTheStore()).isZero();
    }

    @Test
    void theStoreIsCalledInOneElasticThreadAsLongAsNothingElseChangesThreads() {
        IndexResolver<Session> resolver = new PrincipalNameIndexResolver<>();
        List<String> threads = new CopyOnWriteArrayList<>();
        StoreSessionSettings given = settings();
        StoreReactiveSessionRepository sessions = reactive(new StoreSessionSettings(
                given.timeout(),
                given.saveMode(),
                given.flushMode(),
                given.attributes(),
                session -> {
                    threads.add(Thread.currentThread().getName());
                    return resolver.resolveIndexesFor(session);
                },
                given.ids()));
        String thread = get(sessions.createSession()
                .flatMap(session -> sessions.save(session).thenReturn(session))
                .doOnNext(session -> session.setAttribute("a", "b"))
                .flatMap(session -> sessions.save(session))
                .then(Mono.fromSupplier(() -> Thread.currentThread().getName())));
        assertThat(thread).startsWith("boundedElastic-");
        assertThat(threads).containsExactly(thread, thread);
        threads.clear();
        get(sessions.createSession().publishOn(Schedulers.parallel()).flatMap(sessions::save));
        assertThat(threads).singleElement().asString().startsWith("boundedElastic-");
    }

    /** Each costs random numbers, which most requests never need. */
    @Test
    void aSaveMakesAnotherIdOnlyAfterAChange() {
        AtomicInteger made = new AtomicInteger();
        StoreSessionSettings usual = settings();
        StoreReactiveSessionRepository sessions = reactive(new StoreSessionSettings(
                usual.timeout(),
                usual.saveMode(),
                usual.flushMode(),
                usual.attributes(),
                usual.indexes(),
                () -> "id-" + made.incrementAndGet()));
        StoreSession session = created(sessions);
        assertThat(made).hasValue(2); // its own, and one ahead
        session.setAttribute("a", "1");
        get(sessions.save(session));
        assertThat(made).hasValue(2);
        assertThat(session.changeSessionId()).isEqualTo("id-2");
        get(sessions.save(session));
        assertThat(made).hasValue(3);
    }

    @Test
    void whatFailsIsSignalled() {
        StoreReactiveSessionRepository sessions = reactive();
        StoreSession session = created(sessions);
        session.setAttribute("state", new Random());
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> get(sessions.save(session)))
                .withMessageContaining("'state'");
        StoreReactiveSessionRepository broken = reactive(new StoreSessionSettings(
                Duration.ofMinutes(1),
                SaveMode.ALWAYS,
                FlushMode.ON_SAVE,
                settings().attributes(),
                any -> Map.of(),
                () -> {
                    throw new StackOverflowError();
                }));
        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> get(broken.createSession()));
        store.close();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> get(sessions.findById("id")));
    }

    /** The client of a logout may hang up before the answer. */
    @Test
    void aCallThatIsCancelledIsFinished() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        StoreReactiveSessionRepository sessions = new StoreReactiveSessionRepository(store, settings(), event -> {
            if (event instanceof SessionDeletedEvent) {
                begun.countDown();
                awaitQuietly(cancelled);
                events.add((AbstractSessionEvent) event);
            }
        });
        String id = stored(sessions, PRINCIPAL, "ann").getId();
        Disposable logout = sessions.deleteById(id).subscribe();
        assertThat(begun.await(60, SECONDS)).isTrue();
        logout.dispose();
        cancelled.countDown();
        await().until(() -> events.size() == 1);
        assertThat(sessionsInTheStore()).isZero();
    }

    /** Fails if the thread is interrupted, so that the event is not noted. */
    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aChangeCannotBeWrittenAtOnce() {
        StoreSessionSettings immediate = settings().withModes(SaveMode.ALWAYS, FlushMode.IMMEDIATE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> reactive(immediate))
                .withMessageContaining("'settings' must have the flush mode ON_SAVE");
    }

    /** Other repositories store what has changed under the old id, where nothing else is any more. */
    @Test
    void anOldIdDoesNotLiveAgainAfterALogout() {
        StoreReactiveSessionRepository sessions = reactive();
        StoreSession login = stored(sessions, "cart", "book");
        String old = login.getId();
        StoreSession slow = loaded(sessions, old);
        StoreSession logout = loaded(sessions, old);
        login.changeSessionId();
        get(sessions.save(login));
        slow.setLastAccessedTime(Instant.now());
        slow.setAttribute("cart", "books");
        get(sessions.save(slow));
        assertThat(get(sessions.findById(old))).isNull();
        get(sessions.deleteById(logout.getId()));
        slow.setLastAccessedTime(Instant.now());
        get(sessions.save(slow));
        get(sessions.save(login));
        assertThat(get(sessions.findById(old))).isNull();
        assertThat(get(sessions.findById(login.getId()))).isNull();
        assertThat(sessionsInTheStore()).isZero();
    }

    /** Otherwise who has planted the old id gets to the session of the user who logs in. */
    @Test
    void theFirstOfTwoRequestsThatChangeTheIdWins() {
        StoreReactiveSessionRepository sessions = reactive();
        StoreSession victim = stored(sessions);
        StoreSession attacker = loaded(sessions, victim.getId());
        victim.changeSessionId();
        victim.setAttribute(PRINCIPAL, "ann");
        get(sessions.save(victim));
        attacker.changeSessionId();
        attacker.setAttribute("cart", "of the attacker");
        get(sessions.save(attacker));
        assertThat(get(sessions.findById(attacker.getId()))).isNull();
        assertThat(loaded(sessions, victim.getId()).getAttributeNames()).containsExactly(PRINCIPAL);
        assertThat(sessionsInTheStore()).isEqualTo(1);
    }

    /** As Spring Security does it at a login: one part gives the session another id, others put attributes into it. */
    @Test
    void aChangeOfTheIdOverwritesNoOtherChangeOfItsRequest() {
        StoreReactiveSessionRepository sessions = reactive();
        for (boolean isNew : new boolean[] {true, false}) {
            StoreSession session = isNew ? created(sessions) : stored(sessions);
            get(Flux.range(0, 16)
                    .parallel(4)
                    .runOn(Schedulers.parallel())
                    .flatMap(number -> {
                        session.setAttribute("attribute" + number, number);
                        if (number % 5 == 0) {
                            session.changeSessionId();
                        }
                        return sessions.save(session);
                    })
                    .sequential()
                    .then());
            assertThat(loaded(sessions, session.getId()).getAttributeNames()).hasSize(16);
            assertThat(sessionsInTheStore()).isEqualTo(1);
            get(sessions.deleteById(session.getId()));
            assertThat(sessionsInTheStore()).isZero();
        }
        assertThat(events).hasSize(4);
    }

    /** A save begins with what is there; what comes later is part of the next one, and no thread finds the map half changed. */
    @Test
    void attributesCanBeSetWhileTheSessionIsSaved() {
        StoreReactiveSessionRepository sessions =
                reactive(settings().withModes(SaveMode.ON_GET_ATTRIBUTE, FlushMode.ON_SAVE));
        StoreSession session = stored(sessions);
        int rounds = 300;
        get(Flux.merge(
                        Flux.range(0, rounds)
                                .publishOn(Schedulers.parallel())
                                .doOnNext(number -> session.setAttribute("first" + number % 50, number))
                                .then(),
                        Flux.range(0, rounds)
                                .publishOn(Schedulers.parallel())
                                .doOnNext(number -> {
                                    session.setAttribute("second" + number % 50, number);
                                    assertThat(session.getAttributeNames()).isNotEmpty();
                                })
                                .then(),
                        Flux.range(0, 20)
                                .concatMap(number -> sessions.save(session))
                                .then())
                .then());
        get(sessions.save(session));
        StoreSession found = loaded(sessions, session.getId());
        assertThat(found.getAttributeNames()).hasSize(100);
        IntStream.range(0, 50).forEach(number -> assertThat(found.<Integer>getAttribute("first" + number))
                .isEqualTo(rounds - 50 + number));
    }

    @Test
    void theEndOfABeanOfAServletApplicationIsNoAttribute() {
        assertThat(SessionBeans.END).isEqualTo(ServletRequestAttributes.DESTRUCTION_CALLBACK_NAME_PREFIX);
    }

    @Test
    @SuppressWarnings("NullAway") // Spring's declaration allows no null
    void nothingIsFoundByNull() {
        StoreReactiveSessionRepository sessions = reactive();
        stored(sessions, PRINCIPAL, "ann");
        assertThat(get(sessions.findById(null))).isNull();
        assertThat(get(sessions.findByPrincipalName(null))).isEmpty();
        get(sessions.deleteById(null));
        assertThat(sessionsInTheStore()).isEqualTo(1);
    }
}
