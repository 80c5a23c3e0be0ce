package dev.ttlstore.spring.session;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.springframework.session.events.AbstractSessionEvent;
import org.springframework.session.events.SessionCreatedEvent;
import org.springframework.session.events.SessionDeletedEvent;
import org.springframework.session.events.SessionExpiredEvent;

import dev.ttlstore.spring.expiry.ExpiryCalls;

import io.micrometer.observation.ObservationRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The events of sessions, and their listeners. */
abstract class SessionEventsContract extends SessionArea {

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
        StoreSessionRepository repository = new StoreSessionRepository(store(), settings(), event -> {
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
        StoreSessionRepository repository = new StoreSessionRepository(store(), settings(), event -> {
            throw new IllegalStateException("the mail server is away");
        });
        StoreSession session = saved(repository);
        assertThat(repository.findById(session.getId())).isNotNull();
        repository.deleteById(session.getId());
        assertThat(repository.findById(session.getId())).isNull();
    }
}
