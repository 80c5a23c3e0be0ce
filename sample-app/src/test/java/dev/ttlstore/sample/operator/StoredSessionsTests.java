package dev.ttlstore.sample.operator;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.session.MapSession;

import dev.ttlstore.Store;
import dev.ttlstore.sample.web.Hashes;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class StoredSessionsTests {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));
    private final Store store = Store.builder().inMemory().clock(now::get).open();
    private final StoredSessions sessions = new StoredSessions(store, Duration.ofMinutes(30));

    @AfterEach
    void close() {
        store.close();
    }

    private MapSession saved() {
        MapSession session = sessions.createSession();
        session.setAttribute("user", "admin");
        sessions.save(session);
        return session;
    }

    private @Nullable Object user(String id) {
        MapSession found = sessions.findById(id);
        return found == null ? null : found.getAttribute("user");
    }

    private void pass(Duration time) {
        now.updateAndGet(instant -> instant.plus(time));
    }

    @Test
    void aSavedSessionIsFoundByItsIdAlone() {
        MapSession session = saved();
        assertThat(user(session.getId())).isEqualTo("admin");
        assertThat(user(Hashes.of(session.getId()))).isNull();
    }

    @Test
    void aSessionThatIsNotUsedExpires() {
        String id = saved().getId();
        pass(Duration.ofMinutes(29));
        sessions.save(requireNonNull(sessions.findById(id)));
        pass(Duration.ofMinutes(29));
        assertThat(user(id)).isEqualTo("admin");
        pass(Duration.ofMinutes(1));
        assertThat(user(id)).isNull();
    }

    @Test
    void aSessionThatEndsDuringARequestStaysEnded() {
        String id = saved().getId();
        MapSession used = requireNonNull(sessions.findById(id));
        sessions.deleteById(id);
        sessions.save(used);
        assertThat(user(id)).isNull();
        assertThat(store.count()).isZero();
    }

    @Test
    void theIdFromBeforeTheLoginIsWorthNothingAfterIt() {
        MapSession session = saved();
        String before = session.getId();
        session.changeSessionId();
        sessions.save(session);
        session.setAttribute("user", "root");
        sessions.save(session); // as a request does at its end
        assertThat(user(before)).isNull();
        assertThat(user(session.getId())).isEqualTo("root");
        assertThat(store.count()).isEqualTo(1);
    }

    @Test
    void aSessionOfAnotherVersionIsNone() {
        store.group(StoredSessions.GROUP, byte[].class).put(Hashes.of("id"), new byte[] {1, 2, 3});
        assertThat(sessions.findById("id")).isNull();
    }
}
