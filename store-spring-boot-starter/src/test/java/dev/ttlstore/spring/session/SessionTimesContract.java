package dev.ttlstore.spring.session;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** The times of a session: its last access, and the interval after which it is over. */
abstract class SessionTimesContract extends SessionArea {

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
}
