package dev.ttlstore.spring.session;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.session.FlushMode;
import org.springframework.session.SaveMode;

import dev.ttlstore.Codec;
import dev.ttlstore.Store;
import dev.ttlstore.spring.MovableClock;
import dev.ttlstore.spring.expiry.ExpiryCalls;

import io.micrometer.observation.ObservationRegistry;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/** What belongs to a session can follow its life, also where Spring Session has no event. */
class SessionFollowerTests extends SessionKit {

    private final MovableClock clock = new MovableClock();
    private final Store store = Store.builder().inMemory().clock(clock).open();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile boolean fails;

    private final SessionFollower follower = new SessionFollower() {
        @Override
        public void renewed(String id, Duration interval) {
            calls.add("renewed " + id + " " + interval);
        }

        @Override
        public void moved(String id, String newId) {
            calls.add("moved " + id + " " + newId);
        }

        @Override
        public void ended(String id) {
            calls.add("ended " + id);
            if (fails) {
                fails = false;
                throw new IllegalStateException("of a follower");
            }
        }
    };

    private final StoreSessionRepository sessions = sessions(FlushMode.ON_SAVE);

    private StoreSessionRepository sessions(FlushMode flush) {
        return new StoreSessionRepository(
                store, settings().withModes(SaveMode.ON_SET_ATTRIBUTE, flush), event -> {}, null, List.of(follower));
    }

    @Override
    Store store() {
        return store;
    }

    @AfterEach
    void close() {
        store.close();
    }

    private List<String> calls() {
        List<String> made = List.copyOf(calls);
        calls.clear();
        return made;
    }

    @Test
    void aSessionBeginsMovesAndEnds() {
        StoreSession session = saved(sessions);
        String first = session.getId();
        assertThat(calls()).containsExactly("renewed " + first + " PT30M");
        String second = session.changeSessionId();
        assertThat(calls()).isEmpty(); // not before it is in the store
        sessions.save(session);
        assertThat(calls()).containsExactly("moved " + first + " " + second, "renewed " + second + " PT30M");
        session.setMaxInactiveInterval(Duration.ofHours(1));
        sessions.save(session);
        assertThat(calls()).containsExactly("renewed " + second + " PT1H");
        session.setAttribute("a", "b");
        sessions.save(session);
        assertThat(calls()).isEmpty();
        sessions.deleteById(first); // under the id that it had until recently
        assertThat(calls()).containsExactly("ended " + second);
    }

    @Test
    void aSessionInUseIsRenewedOnceInItsInterval() {
        // No access is at the end of a period: with a millisecond in between, it may count twice.
        clock.advance(Duration.ofMinutes(1));
        String id = saved(sessions).getId();
        calls.clear();
        for (int minutes = 0; minutes < 120; minutes += 5) {
            clock.advance(Duration.ofMinutes(5));
            StoreSession session = found(sessions, id);
            session.setLastAccessedTime(Instant.now());
            sessions.save(session);
        }
        assertThat(calls()).hasSize(4).containsOnly("renewed " + id + " PT30M");
    }

    @Test
    void aSessionThatHasEndedIsFollowedNoFurther() {
        StoreSession session = saved(sessions);
        sessions.deleteById(session.getId());
        calls.clear();
        session.changeSessionId();
        sessions.save(session);
        assertThat(calls()).isEmpty();
    }

    @Test
    void aSessionThatCannotBeReadEndsAsWell() {
        String id = saved(sessions).getId();
        store.group(StoreSessionRepository.GROUP, Codec.bytes()).put(SessionKeys.of(id), new byte[] {1});
        calls.clear();
        sessions.deleteById(id);
        assertThat(calls()).containsExactly("ended " + id);
    }

    @Test
    void changesThatAreWrittenAtOnceAreFollowedAtOnce() {
        StoreSession session = saved(sessions(FlushMode.IMMEDIATE));
        String before = session.getId();
        calls.clear();
        String after = session.changeSessionId();
        assertThat(calls()).contains("moved " + before + " " + after);
    }

    @Test
    void aSessionThatExpiresHasEnded() {
        SessionExpiries expiries = new SessionExpiries(sessions, new ExpiryCalls(ObservationRegistry.NOOP));
        expiries.start();
        try {
            StoreSession session = saved(sessions);
            String id = session.getId();
            calls.clear();
            session.setLastAccessedTime(Instant.now().minus(Duration.ofMinutes(31)));
            sessions.save(session);
            await().untilAsserted(() -> assertThat(List.copyOf(calls)).containsExactly("ended " + id));
        } finally {
            expiries.stop();
        }
    }

    @Test
    void aFollowerThatFailsFailsTheCallAfterTheCommit() {
        String id = saved(sessions).getId();
        fails = true;
        assertThatIllegalStateException().isThrownBy(() -> sessions.deleteById(id));
        assertThat(sessions.findById(id)).isNull();
    }

    @Test
    void sessionsOfReactiveApplicationsAreFollowedAsWell() {
        StoreReactiveSessionRepository reactive =
                new StoreReactiveSessionRepository(store, settings(), event -> {}, List.of(follower));
        StoreSession session = requireNonNull(reactive.createSession().block());
        reactive.save(session).block();
        reactive.deleteById(session.getId()).block();
        assertThat(calls()).containsExactly("renewed " + session.getId() + " PT30M", "ended " + session.getId());
    }
}
