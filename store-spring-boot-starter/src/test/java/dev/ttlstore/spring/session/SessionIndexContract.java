package dev.ttlstore.spring.session;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.session.FindByIndexNameSessionRepository;

import static org.assertj.core.api.Assertions.assertThat;

/** The index that finds the sessions of a user. */
abstract class SessionIndexContract extends SessionArea {

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
    @SuppressWarnings("NullAway") // Spring's declaration allows no null, and its repositories accept it
    void nothingIsFoundByNull() {
        StoreSessionRepository repository = repository();
        StoreSession session = saved(repository, PRINCIPAL, "ann");
        assertThat(repository.findByIndexNameAndIndexValue(
                        FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME, null))
                .isEmpty();
        assertThat(repository.findByIndexNameAndIndexValue(null, "ann")).isEmpty();
        assertThat(repository.findByPrincipalName(null)).isEmpty();
        assertThat(repository.findById(null)).isNull();
        repository.deleteById(null);
        assertThat(repository.findById(session.getId())).isNotNull();
    }
}
