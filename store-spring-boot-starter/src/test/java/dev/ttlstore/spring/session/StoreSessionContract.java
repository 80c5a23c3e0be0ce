package dev.ttlstore.spring.session;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.FlushMode;
import org.springframework.session.MapSession;
import org.springframework.session.SaveMode;
import org.springframework.session.events.AbstractSessionEvent;
import org.springframework.session.events.SessionCreatedEvent;
import org.springframework.session.events.SessionDeletedEvent;
import org.springframework.session.events.SessionExpiredEvent;

import dev.ttlstore.Codec;
import dev.ttlstore.Store;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.expiry.ExpiryCalls;

import io.micrometer.observation.ObservationRegistry;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

/** What Spring Session's own tests ask of a repository with an index, and what the contract says beyond them; on each engine. */
abstract class StoreSessionContract {

    static final String PRINCIPAL = FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME;
    private static final String CONTEXT = "SPRING_SECURITY_CONTEXT";

    final List<AbstractSessionEvent> events = new CopyOnWriteArrayList<>();

    private final JavaCodec codec =
            new JavaCodec(AllowedClasses.of(List.of("org.springframework.security.**")), "some.property", null);

    /** Returns the store, which is empty. */
    abstract Store store();

    /** Moves the clock of the store, if it does not move by itself. */
    void pass(Duration time) {}

    @AfterEach
    void end() {
        store().close();
    }

    final StoreSessionRepository repository() {
        return repository(SaveMode.ON_SET_ATTRIBUTE, FlushMode.ON_SAVE);
    }

    final StoreSessionRepository repository(SaveMode save, FlushMode flush) {
        return new StoreSessionRepository(
                store(),
                StoreSessionSettings.of(MapSession.DEFAULT_MAX_INACTIVE_INTERVAL, codec)
                        .withModes(save, flush),
                event -> events.add((AbstractSessionEvent) event));
    }

    final StoreSession saved(StoreSessionRepository repository, String... attributes) {
        StoreSession session = repository.createSession();
        for (int i = 0; i < attributes.length; i += 2) {
            session.setAttribute(attributes[i], attributes[i + 1]);
        }
        repository.save(session);
        return session;
    }

    static StoreSession found(StoreSessionRepository repository, String id) {
        return requireNonNull(repository.findById(id), "no session");
    }

    private static SecurityContext login(String name) {
        return new SecurityContextImpl(UsernamePasswordAuthenticationToken.authenticated(
                name, "na", AuthorityUtils.createAuthorityList("ROLE_USER")));
    }

    private static Map<String, StoreSession> of(StoreSessionRepository repository, String name) {
        return repository.findByPrincipalName(name);
    }

    @Test
    void aSessionWithoutAttributesIsFound() {
        StoreSessionRepository repository = repository();
        StoreSession session = saved(repository);
        StoreSession found = found(repository, session.getId());
        assertThat(found.getId()).isEqualTo(session.getId());
        assertThat(found.getAttributeNames()).isEmpty();
        assertThat(found.getCreationTime()).isEqualTo(session.getCreationTime());
        assertThat(found.getMaxInactiveInterval()).isEqualTo(Duration.ofMinutes(30));
        assertThat(found.isExpired()).isFalse();
    }

    @Test
    void attributesAreStoredUntilTheSessionIsDeleted() {
        StoreSessionRepository repository = repository();
        StoreSession session = repository.createSession();
        session.setAttribute("a", "b");
        session.setAttribute(CONTEXT, login("ann"));
        session.setAttribute(PRINCIPAL, "ann");
        repository.save(session);
        StoreSession found = found(repository, session.getId());
        assertThat(found.getAttributeNames()).isEqualTo(session.getAttributeNames());
        assertThat(found.<String>getAttribute("a")).isEqualTo("b");
        assertThat(found.<SecurityContext>getAttribute(CONTEXT)).isEqualTo(login("ann"));
        repository.deleteById(session.getId());
        assertThat(repository.findById(session.getId())).isNull();
        assertThat(store().count()).isZero();
    }

    @Test
    void anotherAttributeLeavesTheFirstAlone() {
        StoreSessionRepository repository = repository();
        StoreSession session = found(repository, saved(repository, "a", "b").getId());
        session.setAttribute("1", "2");
        repository.save(session);
        StoreSession found = found(repository, session.getId());
        assertThat(found.getAttributeNames()).containsExactlyInAnyOrder("a", "1");
        assertThat(found.<String>getAttribute("a")).isEqualTo("b");
        assertThat(found.<String>getAttribute("1")).isEqualTo("2");
    }

    @Test
    void theLastAccessIsKeptWithoutWritingTheValueAgain() {
        StoreSessionRepository repository = repository();
        StoreSession session = saved(repository, "a", "b");
        long version = version(session);
        Instant used = Instant.now().minusSeconds(300);
        session.setLastAccessedTime(used);
        repository.save(session);
        StoreSession found = found(repository, session.getId());
        assertThat(found.getLastAccessedTime()).isCloseTo(used, within(20, ChronoUnit.SECONDS));
        Instant again = Instant.now();
        found.setLastAccessedTime(again);
        repository.save(found);
        assertThat(found(repository, session.getId()).getLastAccessedTime())
                .isCloseTo(again, within(20, ChronoUnit.SECONDS));
        assertThat(version(session)).isEqualTo(version);
    }

    private long version(StoreSession session) {
        return store().group(StoreSessionRepository.GROUP, Codec.bytes())
                .entry(SessionKeys.of(session.getId()))
                .orElseThrow()
                .version();
    }

    @Test
    void theLatestAccessCounts() {
        StoreSessionRepository repository = repository();
        String id = saved(repository).getId();
        StoreSession slow = found(repository, id);
        slow.setLastAccessedTime(slow.getLastAccessedTime().plusMillis(1));
        StoreSession fast = found(repository, id);
        fast.setLastAccessedTime(Instant.now().plusSeconds(60));
        repository.save(fast);
        Instant latest = found(repository, id).getLastAccessedTime();
        repository.save(slow);
        assertThat(found(repository, id).getLastAccessedTime()).isAfterOrEqualTo(latest.minusMillis(50));
    }

    @Test
    void aSessionThatWasNotUsedForItsIntervalIsOver() {
        StoreSessionRepository repository = repository();
        StoreSession session = saved(repository, PRINCIPAL, "ann");
        session.setLastAccessedTime(Instant.now().minus(Duration.ofMinutes(31)));
        assertThat(session.isExpired()).isTrue();
        repository.save(session);
        assertThat(repository.findById(session.getId())).isNull();
        assertThat(of(repository, "ann")).isEmpty();
    }

    @Test
    void aSessionHasAnIntervalOfItsOwn() {
        StoreSessionRepository repository = repository();
        StoreSession session = repository.createSession();
        session.setMaxInactiveInterval(Duration.ofMinutes(45));
        session.setLastAccessedTime(Instant.now().minus(Duration.ofMinutes(40)));
        repository.save(session);
        assertThat(found(repository, session.getId()).getMaxInactiveInterval()).isEqualTo(Duration.ofMinutes(45));
        session.setMaxInactiveInterval(Duration.ofMinutes(35));
        repository.save(session);
        assertThat(repository.findById(session.getId())).isNull();
    }

    @Test
    void aNegativeIntervalIsForEver() {
        StoreSessionRepository repository = repository();
        StoreSession session = saved(repository);
        session.setMaxInactiveInterval(Duration.ofSeconds(-1));
        Instant longAgo = Instant.now().minus(Duration.ofDays(3650));
        session.setLastAccessedTime(longAgo);
        repository.save(session);
        StoreSession found = found(repository, session.getId());
        assertThat(found.isExpired()).isFalse();
        assertThat(found.getMaxInactiveInterval()).isNegative();
        assertThat(found.getLastAccessedTime()).isCloseTo(longAgo, within(20, ChronoUnit.SECONDS));
    }

    @Test
    void sessionsAreFoundByTheNameOfTheirUser() {
        StoreSessionRepository repository = repository();
        StoreSession session = saved(repository, PRINCIPAL, "ann");
        StoreSession second = saved(repository, PRINCIPAL, "ann");
        StoreSession other = saved(repository, PRINCIPAL, "annie");
        assertThat(of(repository, "ann")).containsOnlyKeys(session.getId(), second.getId());
        assertThat(of(repository, "annie")).containsOnlyKeys(other.getId());
        assertThat(of(repository, "an")).isEmpty();
        assertThat(repository.findByIndexNameAndIndexValue("other", "ann")).isEmpty();
        repository.deleteById(session.getId());
        repository.deleteById(second.getId());
        assertThat(of(repository, "ann")).isEmpty();
    }

    @Test
    void sessionsAreFoundByTheirLogin() {
        StoreSessionRepository repository = repository();
        StoreSession session = repository.createSession();
        session.setAttribute(CONTEXT, login("ann"));
        repository.save(session);
        assertThat(of(repository, "ann")).containsOnlyKeys(session.getId());
        repository.deleteById(session.getId());
        assertThat(of(repository, "ann")).isEmpty();
    }

    @Test
    void anExpiredLoginIsNotFound() {
        StoreSessionRepository repository = repository();
        StoreSession session = repository.createSession();
        session.setAttribute(CONTEXT, login("ann"));
        session.setLastAccessedTime(Instant.now().minus(Duration.ofMinutes(31)));
        repository.save(session);
        assertThat(of(repository, "ann")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Reload.class)
    void otherChangesKeepTheIndex(Reload reload) {
        StoreSessionRepository repository = repository();
        StoreSession session = reload.of(repository, saved(repository, PRINCIPAL, "ann"));
        session.setAttribute("other", "value");
        repository.save(session);
        assertThat(of(repository, "ann")).containsOnlyKeys(session.getId());
        StoreSession login = repository.createSession();
        login.setAttribute(CONTEXT, login("bob"));
        repository.save(login);
        login = reload.of(repository, login);
        login.setAttribute("other", "value");
        repository.save(login);
        assertThat(of(repository, "bob")).containsOnlyKeys(login.getId());
    }

    @ParameterizedTest
    @EnumSource(Reload.class)
    void theIndexFollowsTheName(Reload reload) {
        StoreSessionRepository repository = repository();
        StoreSession session = reload.of(repository, saved(repository, PRINCIPAL, "ann"));
        session.setAttribute(PRINCIPAL, "bob");
        repository.save(session);
        assertThat(of(repository, "ann")).isEmpty();
        assertThat(of(repository, "bob")).containsOnlyKeys(session.getId());
        session = reload.of(repository, session);
        session.removeAttribute(PRINCIPAL);
        repository.save(session);
        assertThat(of(repository, "bob")).isEmpty();
        assertThat(store().group(StoreSessionRepository.INDEX_GROUP).count()).isZero();
        assertThat(repository.findById(session.getId())).isNotNull();
    }

    @ParameterizedTest
    @EnumSource(Reload.class)
    void theIndexFollowsTheLogin(Reload reload) {
        StoreSessionRepository repository = repository();
        StoreSession session = repository.createSession();
        session.setAttribute(CONTEXT, login("ann"));
        repository.save(session);
        session = reload.of(repository, session);
        session.setAttribute(CONTEXT, login("bob"));
        repository.save(session);
        assertThat(of(repository, "ann")).isEmpty();
        assertThat(of(repository, "bob")).containsOnlyKeys(session.getId());
        session = reload.of(repository, session);
        session.setAttribute(CONTEXT, null);
        repository.save(session);
        assertThat(of(repository, "bob")).isEmpty();
    }

    /** Whether a change is made by the request that has saved the session, or by a later one. */
    enum Reload {
        SAME_REQUEST,
        LATER_REQUEST;

        StoreSession of(StoreSessionRepository repository, StoreSession session) {
            return this == SAME_REQUEST ? session : found(repository, session.getId());
        }
    }

    @Test
    void theNameOfAUserMayBeAnyText() {
        StoreSessionRepository repository = repository();
        String name = "\u0001".repeat(3) + "名".repeat(2000);
        StoreSession session = saved(repository, PRINCIPAL, name);
        assertThat(of(repository, name)).containsOnlyKeys(session.getId());
    }

    @Test
    void anIdMayBeAnyText() {
        assertThat(repository().findById("")).isNull();
        assertThat(repository().findById("\u0000")).isNull();
        assertThat(repository().findById("x".repeat(5000))).isNull();
    }

    @Test
    void theIdChangesWithTheAttributesAndTheIndex() {
        StoreSessionRepository repository = repository();
        StoreSession session =
                found(repository, saved(repository, PRINCIPAL, "ann").getId());
        String before = session.getId();
        session.setAttribute("a", "b");
        String after = session.changeSessionId();
        assertThat(after).isEqualTo(session.getId()).isNotEqualTo(before);
        assertThat(repository.findById(after)).isNull();
        repository.save(session);
        assertThat(repository.findById(before)).isNull();
        assertThat(found(repository, after).<String>getAttribute("a")).isEqualTo("b");
        assertThat(of(repository, "ann")).containsOnlyKeys(after);
        assertThat(store().group(StoreSessionRepository.GROUP).count()).isEqualTo(1);
        assertThat(store().group(StoreSessionRepository.INDEX_GROUP).count()).isEqualTo(1);
    }

    @Test
    void theIdOfANewSessionChanges() {
        StoreSessionRepository repository = repository();
        StoreSession session = repository.createSession();
        String before = session.getId();
        String after = session.changeSessionId();
        repository.save(session);
        assertThat(repository.findById(before)).isNull();
        assertThat(repository.findById(after)).isNotNull();
    }

    @Test
    void theIdChangesTwice() {
        StoreSessionRepository repository = repository();
        StoreSession session = saved(repository);
        String first = session.getId();
        String second = session.changeSessionId();
        String third = session.changeSessionId();
        repository.save(session);
        assertThat(repository.findById(first)).isNull();
        assertThat(repository.findById(second)).isNull();
        assertThat(repository.findById(third)).isNotNull();
    }

    @Test
    void aChangedIdIsNoSecondSessionAndNoEvent() {
        StoreSessionRepository repository = repository();
        StoreSession session = saved(repository);
        session.changeSessionId();
        repository.save(session);
        assertThat(events).hasSize(1).first().isInstanceOf(SessionCreatedEvent.class);
    }

    /** As one that was sent together with the login. */
    @Test
    void aRequestWithTheOldIdChangesTheSession() {
        StoreSessionRepository repository = repository();
        StoreSession login = saved(repository);
        StoreSession other = found(repository, login.getId());
        login.changeSessionId();
        login.setAttribute(PRINCIPAL, "ann");
        repository.save(login);
        other.setLastAccessedTime(Instant.now());
        other.setAttribute("cart", "book");
        repository.save(other);
        assertThat(repository.findById(other.getId())).isNull();
        StoreSession found = found(repository, login.getId());
        assertThat(found.<String>getAttribute("cart")).isEqualTo("book");
        assertThat(found.<String>getAttribute(PRINCIPAL)).isEqualTo("ann");
        assertThat(of(repository, "ann")).containsOnlyKeys(login.getId());
        repository.deleteById(login.getId());
        other.setAttribute("cart", "books");
        repository.save(other);
        assertThat(store().group(StoreSessionRepository.GROUP).count()).isZero();
    }

    @Test
    void anAttributeCanBeSetAndRemovedInAnyOrder() {
        StoreSessionRepository repository = repository();
        StoreSession session =
                found(repository, saved(repository, "kept", "1", "changed", "1").getId());
        session.setAttribute("new", "1");
        session.setAttribute("new", "2");
        session.setAttribute("brief", "1");
        session.removeAttribute("brief");
        session.setAttribute("kept", "2");
        session.removeAttribute("kept");
        session.removeAttribute("changed");
        session.setAttribute("changed", "2");
        session.removeAttribute("unknown");
        repository.save(session);
        StoreSession found = found(repository, session.getId());
        assertThat(found.getAttributeNames()).containsExactlyInAnyOrder("new", "changed");
        assertThat(found.<String>getAttribute("new")).isEqualTo("2");
        assertThat(found.<String>getAttribute("changed")).isEqualTo("2");
    }

    @Test
    void aDeletedSessionDoesNotComeBack() {
        StoreSessionRepository repository = repository();
        StoreSession used = saved(repository, PRINCIPAL, "ann");
        StoreSession changed = found(repository, used.getId());
        StoreSession renamed = found(repository, used.getId());
        repository.deleteById(used.getId());
        used.setLastAccessedTime(Instant.now());
        repository.save(used);
        changed.setAttribute("a", "b");
        repository.save(changed);
        renamed.changeSessionId();
        renamed.setAttribute(PRINCIPAL, "bob");
        repository.save(renamed);
        assertThat(repository.findById(used.getId())).isNull();
        assertThat(repository.findById(renamed.getId())).isNull();
        assertThat(store().count()).isZero();
    }

    @Test
    void anAttributeMayBeLarge() {
        StoreSessionRepository repository = repository();
        StoreSession session = repository.createSession();
        session.setAttribute("large", new byte[4000]);
        repository.save(session);
        assertThat(found(repository, session.getId()).<byte[]>getAttribute("large"))
                .hasSize(4000);
    }

    @Test
    void theLastRequestThatSetsAnAttributeWins() {
        StoreSessionRepository repository = repository();
        StoreSession session = saved(repository);
        StoreSession other = found(repository, session.getId());
        other.setAttribute("a", "1");
        repository.save(other);
        session.setAttribute("a", "2");
        repository.save(session);
        assertThat(found(repository, session.getId()).<String>getAttribute("a")).isEqualTo("2");
    }

    @Test
    void concurrentRequestsLoseNoChangeOfEachOther() throws Exception {
        StoreSessionRepository repository = repository();
        String id = saved(repository).getId();
        int requests = 8;
        CountDownLatch loaded = new CountDownLatch(requests);
        ExecutorService threads = Executors.newFixedThreadPool(requests);
        try {
            List<Future<?>> running = new CopyOnWriteArrayList<>();
            for (int i = 0; i < requests; i++) {
                String name = "attribute" + i;
                running.add(threads.submit(() -> {
                    StoreSession session = found(repository, id);
                    loaded.countDown();
                    assertThat(loaded.await(60, SECONDS)).isTrue();
                    session.setAttribute(name, "value");
                    session.setLastAccessedTime(Instant.now());
                    repository.save(session);
                    return null;
                }));
            }
            for (Future<?> request : running) {
                request.get(60, SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(found(repository, id).getAttributeNames()).hasSize(requests);
    }

    @Test
    void eachSaveModeWritesWhatItSays() {
        for (SaveMode mode : SaveMode.values()) {
            StoreSessionRepository repository = repository(mode, FlushMode.ON_SAVE);
            StoreSession session = repository.createSession();
            session.setAttribute("read", new ArrayList<>(List.of("1")));
            session.setAttribute("unread", new ArrayList<>(List.of("1")));
            List<String> unread = requireNonNull(session.getAttribute("unread"));
            repository.save(session);
            StoreSession later = found(repository, session.getId());
            this.<List<String>>attribute(later, "read").add("2");
            repository.save(later);
            assertThat(this.<List<String>>attribute(found(repository, session.getId()), "read"))
                    .hasSize(mode == SaveMode.ON_SET_ATTRIBUTE ? 1 : 2);
            // nobody has read it in this request, in which it was saved before
            unread.add("2");
            session.setLastAccessedTime(Instant.now());
            repository.save(session);
            assertThat(this.<List<String>>attribute(found(repository, session.getId()), "unread"))
                    .hasSize(mode == SaveMode.ALWAYS ? 2 : 1);
        }
    }

    @SuppressWarnings("TypeParameterUnusedInFormals")
    private <T> T attribute(StoreSession session, String name) {
        return requireNonNull(session.<T>getAttribute(name));
    }

    /** Only what has changed is written, so that reading does not undo the change of another request. */
    @ParameterizedTest
    @EnumSource(SaveMode.class)
    void whatWasOnlyReadIsNotWritten(SaveMode mode) {
        StoreSessionRepository repository = repository(mode, FlushMode.ON_SAVE);
        String id = saved(repository, "a", "1").getId();
        StoreSession reader = found(repository, id);
        assertThat(reader.<String>getAttribute("a")).isEqualTo("1");
        StoreSession writer = found(repository, id);
        writer.setAttribute("a", "2");
        repository.save(writer);
        reader.setLastAccessedTime(Instant.now());
        repository.save(reader);
        assertThat(found(repository, id).<String>getAttribute("a")).isEqualTo("2");
    }

    @Test
    void changesAreWrittenAtOnceIfTheFlushModeSaysSo() {
        StoreSessionRepository repository = repository(SaveMode.ON_SET_ATTRIBUTE, FlushMode.IMMEDIATE);
        StoreSession session = repository.createSession();
        assertThat(repository.findById(session.getId())).isNotNull();
        session.setAttribute("a", "b");
        assertThat(found(repository, session.getId()).<String>getAttribute("a")).isEqualTo("b");
        session.setMaxInactiveInterval(Duration.ofHours(1));
        assertThat(found(repository, session.getId()).getMaxInactiveInterval()).isEqualTo(Duration.ofHours(1));
        String before = session.getId();
        session.changeSessionId();
        assertThat(repository.findById(before)).isNull();
        assertThat(repository.findById(session.getId())).isNotNull();
        assertThat(events).hasSize(1);
    }

    @Test
    void eventsHaveTheSession() {
        StoreSessionRepository repository = repository();
        StoreSession session = saved(repository, "a", "b");
        assertThat(events).hasSize(1).first().isInstanceOf(SessionCreatedEvent.class);
        repository.deleteById(session.getId());
        repository.deleteById(session.getId());
        repository.deleteById("another");
        assertThat(events).hasSize(2);
        AbstractSessionEvent deleted = events.get(1);
        assertThat(deleted).isInstanceOf(SessionDeletedEvent.class);
        assertThat(deleted.getSessionId()).isEqualTo(session.getId());
        assertThat(deleted.<StoreSession>getSession().<String>getAttribute("a")).isEqualTo("b");
    }

    @Test
    void anExpiredSessionIsPublishedOnce() {
        StoreSessionRepository repository = repository();
        SessionExpiries expiries = new SessionExpiries(repository, new ExpiryCalls(ObservationRegistry.NOOP));
        expiries.start();
        StoreSession session = saved(repository, "a", "b", PRINCIPAL, "ann");
        session.setLastAccessedTime(Instant.now().minus(Duration.ofMinutes(31)));
        repository.save(session);
        await().atMost(Duration.ofSeconds(60)).until(() -> events.size() == 2);
        AbstractSessionEvent expired = events.get(1);
        assertThat(expired).isInstanceOf(SessionExpiredEvent.class);
        assertThat(expired.getSessionId()).isEqualTo(session.getId());
        assertThat(expired.<StoreSession>getSession().<String>getAttribute("a")).isEqualTo("b");
        assertThat(expired.<StoreSession>getSession().isExpired()).isTrue();
        expiries.stop();
        assertThat(expiries.isRunning()).isFalse();
    }

    @Test
    void whatExpiresWhileNobodyListensIsPublishedLater() {
        StoreSessionRepository repository = repository();
        SessionExpiries expiries = new SessionExpiries(repository, new ExpiryCalls(ObservationRegistry.NOOP));
        expiries.start();
        expiries.stop();
        StoreSession session = saved(repository, "a", "b");
        session.setLastAccessedTime(Instant.now().minus(Duration.ofMinutes(31)));
        repository.save(session);
        store().purgeExpired();
        assertThat(events).hasSize(1);
        expiries.start();
        await().atMost(Duration.ofSeconds(60)).until(() -> events.size() == 2);
        expiries.stop();
    }

    @Test
    void anExpiryIsPublishedAgainIfAListenerFails() {
        AtomicInteger calls = new AtomicInteger();
        StoreSessionRepository repository =
                new StoreSessionRepository(store(), repository().settings(), event -> {
                    if (event instanceof SessionExpiredEvent && calls.getAndIncrement() == 0) {
                        throw new IllegalStateException("the mail server is away");
                    }
                });
        SessionExpiries expiries = new SessionExpiries(repository, new ExpiryCalls(ObservationRegistry.NOOP));
        expiries.start();
        StoreSession session = saved(repository);
        session.setLastAccessedTime(Instant.now().minus(Duration.ofMinutes(31)));
        repository.save(session);
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            pass(Duration.ofSeconds(1));
            return calls.get() == 2;
        });
        expiries.stop();
    }

    @Test
    void aListenerThatFailsDoesNotEndTheRequest() {
        StoreSessionRepository repository =
                new StoreSessionRepository(store(), repository().settings(), event -> {
                    throw new IllegalStateException("the mail server is away");
                });
        StoreSession session = saved(repository);
        assertThat(repository.findById(session.getId())).isNotNull();
        repository.deleteById(session.getId());
        assertThat(repository.findById(session.getId())).isNull();
    }

    /** The request that logs out may have begun before the login has changed the id. */
    @Test
    void aSessionIsDeletedUnderAnIdThatItHadUntilRecently() {
        StoreSessionRepository repository = repository();
        StoreSession session = saved(repository, PRINCIPAL, "ann");
        String old = session.getId();
        session.changeSessionId();
        repository.save(session);
        repository.deleteById(old);
        assertThat(repository.findById(session.getId())).isNull();
        assertThat(of(repository, "ann")).isEmpty();
        repository.deleteById("unknown");
    }

    @Test
    void whatCannotBeReadLaterIsRefused() {
        StoreSessionRepository repository = repository();
        StoreSession session = repository.createSession();
        session.setAttribute("state", Thread.State.NEW);
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> repository.save(session))
                .withMessageContaining("'state'")
                .withMessageContaining("java.lang.Thread$State")
                .withMessageContaining("'some.property'");
        assertThat(repository.findById(session.getId())).isNull();
        session.setAttribute("page", "error"); // of the same request
        repository.save(session);
        StoreSession found = requireNonNull(repository.findById(session.getId()));
        assertThat(found.getAttributeNames()).containsExactly("page");
        found.setAttribute("page", Thread.State.NEW);
        assertThatExceptionOfType(CodecException.class).isThrownBy(() -> repository.save(found));
        repository.save(found);
        assertThat(requireNonNull(repository.findById(session.getId())).<String>getAttribute("page"))
                .isEqualTo("error");
    }

    @Test
    void anExceptionThatCannotBeStoredIsLeftOut() {
        StoreSessionRepository repository = repository();
        StoreSession session = repository.createSession();
        session.setAttribute("page", "login");
        session.setAttribute(
                "failure", new IllegalStateException("no", new SQLException("no database", new Throwable() {})));
        repository.save(session);
        StoreSession found = requireNonNull(repository.findById(session.getId()));
        assertThat(found.getAttributeNames()).containsExactly("page");
        found.setAttribute("failure", new IllegalStateException("no", new Throwable() {}));
        found.setAttribute("page", "other");
        repository.save(found);
        assertThat(requireNonNull(repository.findById(session.getId())).<String>getAttribute("page"))
                .isEqualTo("other");
    }

    @Test
    void whatCannotBeReadIsAbsent() {
        StoreSessionRepository repository = repository();
        byte[] foreign = {1, 2, 3};
        store().group(StoreSessionRepository.GROUP, Codec.bytes()).put(SessionKeys.of("id"), foreign);
        assertThat(repository.findById("id")).isNull();
        StoreSession changed = saved(repository, PRINCIPAL, "ann");
        store().group(StoreSessionRepository.GROUP, Codec.bytes()).put(SessionKeys.of(changed.getId()), new byte[0]);
        changed.setAttribute("a", "b");
        repository.save(changed);
        assertThat(repository.findById(changed.getId())).isNull();
        assertThat(of(repository, "ann")).isEmpty();
        repository.deleteById("id");
        assertThat(store().group(StoreSessionRepository.GROUP).contains(SessionKeys.of("id")))
                .isFalse();
        assertThat(events).hasSize(1);
    }

    @Test
    void aSessionWhoseClassesAreNoLongerAllowedIsAbsent() {
        StoreSessionRepository repository = repository();
        StoreSession session = repository.createSession();
        session.setAttribute(CONTEXT, login("ann"));
        repository.save(session);
        StoreSessionRepository strict = new StoreSessionRepository(
                store(),
                StoreSessionSettings.of(
                        Duration.ofMinutes(30), new JavaCodec(AllowedClasses.of(List.of()), "some.property", null)),
                event -> {});
        assertThat(strict.findById(session.getId())).isNull();
        assertThat(of(strict, "ann")).isEmpty();
        assertThat(repository.findById(session.getId())).isNotNull();
    }

    @Test
    void textsHaveNoSecrets() {
        StoreSession session = saved(repository(), "a", "secret");
        assertThat(session.toString()).doesNotContain("secret", session.getId());
        assertThat(requireNonNull(session.stored()).toString()).doesNotContain("secret", session.getId());
    }
}
