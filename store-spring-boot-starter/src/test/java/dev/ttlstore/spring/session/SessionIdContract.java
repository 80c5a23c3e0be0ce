package dev.ttlstore.spring.session;

import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.springframework.session.events.SessionCreatedEvent;

import static org.assertj.core.api.Assertions.assertThat;

/** The id of a session, and its changes. */
abstract class SessionIdContract extends SessionArea {

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

    /** Otherwise whoever has planted the old id, and begun a login with it, gets to the session of who logs in. */
    @Test
    void theFirstOfTwoRequestsThatChangeTheIdWins() {
        StoreSessionRepository repository = repository();
        StoreSession victim = saved(repository);
        StoreSession attacker = found(repository, victim.getId());
        victim.changeSessionId();
        victim.setAttribute(PRINCIPAL, "ann");
        repository.save(victim);
        attacker.setLastAccessedTime(Instant.now());
        attacker.changeSessionId();
        attacker.setAttribute("cart", "of the attacker");
        repository.save(attacker);
        attacker.setAttribute("cart", "again");
        repository.save(attacker);
        assertThat(repository.findById(attacker.getId())).isNull();
        assertThat(found(repository, victim.getId()).getAttributeNames()).containsExactly(PRINCIPAL);
        assertThat(of(repository, "ann")).containsOnlyKeys(victim.getId());
        assertThat(store().group(StoreSessionRepository.GROUP).count()).isEqualTo(1);
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
}
