package dev.ttlstore.spring.session;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.session.events.AbstractSessionEvent;
import org.springframework.session.events.SessionExpiredEvent;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.ttlstore.Store;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.TestDatabase;
import dev.ttlstore.spring.expiry.ExpiryCalls;

import io.micrometer.observation.ObservationRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Sessions in a store that several instances share. */
@Tag("postgresql")
@Tag("variant")
class StoreSessionOnPostgreSqlTests extends StoreSessionContract {

    private static final String SCHEMA = TestDatabase.freshName();

    // It takes longer to open than most tests.
    private static final Store STORE = open();

    private static Store open() {
        return Store.builder()
                .engine(PostgreSql.on(TestDatabase.dataSource()).schema(SCHEMA))
                .open();
    }

    @Override
    Store store() {
        return STORE;
    }

    @Override
    @AfterEach
    void end() {
        STORE.deletePrefix("");
        STORE.expirySubscribers().forEach(subscriber -> STORE.removeExpirySubscriber(subscriber.name()));
    }

    @AfterAll
    static void close() {
        STORE.close();
    }

    private StoreSessionRepository repository(Store node) {
        return new StoreSessionRepository(node, settings(), event -> events.add((AbstractSessionEvent) event));
    }

    @Test
    void instancesShareSessions() {
        try (Store second = open()) {
            StoreSessionRepository other = repository(second);
            StoreSession session = saved(repository(), "a", "1", PRINCIPAL, "ann");
            StoreSession there = found(other, session.getId());
            there.setAttribute("b", "2");
            other.save(there);
            session.setAttribute("a", "2");
            repository().save(session);
            assertThat(found(other, session.getId()).getAttributeNames()).contains("a", "b");
            assertThat(other.findByPrincipalName("ann")).containsOnlyKeys(session.getId());
            other.deleteById(session.getId());
            assertThat(repository().findById(session.getId())).isNull();
        }
    }

    @Test
    void oneInstancePublishesAnExpiry() {
        int sessions = 20;
        try (Store second = open()) {
            StoreSessionRepository first = repository();
            SessionExpiries here = new SessionExpiries(first, new ExpiryCalls(ObservationRegistry.NOOP));
            SessionExpiries there = new SessionExpiries(repository(second), new ExpiryCalls(ObservationRegistry.NOOP));
            here.start();
            there.start();
            for (int i = 0; i < sessions; i++) {
                StoreSession session = saved(first);
                session.setLastAccessedTime(Instant.now().minus(Duration.ofMinutes(31)));
                first.save(session);
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> expired().count() >= sessions);
            here.stop();
            there.stop();
        }
        assertThat(expired().map(AbstractSessionEvent::getSessionId))
                .hasSize(sessions)
                .doesNotHaveDuplicates();
    }

    /** A session is that of the request, whatever becomes of a transaction of the application. */
    @Test
    void sessionsBelongToNoTransactionOfTheApplication() {
        StarterRunner.onPostgreSql(SCHEMA).run(context -> {
            StoreSessionRepository sessions = repository(context.getBean(Store.class));
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            transaction.setReadOnly(true);
            List<StoreSession> saved = new ArrayList<>();
            transaction.executeWithoutResult(status -> {
                saved.add(saved(sessions, PRINCIPAL, "ann"));
                StoreSession renamed = saved(sessions, PRINCIPAL, "ann");
                renamed.changeSessionId();
                renamed.setAttribute("a", "b");
                sessions.save(renamed);
                saved.add(renamed);
                sessions.deleteById(saved(sessions, PRINCIPAL, "ann").getId());
                status.setRollbackOnly();
            });
            assertThat(sessions.findByPrincipalName("ann"))
                    .containsOnlyKeys(saved.get(0).getId(), saved.get(1).getId());
        });
    }

    private Stream<AbstractSessionEvent> expired() {
        return events.stream().filter(SessionExpiredEvent.class::isInstance);
    }
}
