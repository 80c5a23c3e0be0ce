package dev.ttlstore.spring.session;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.boot.session.actuate.endpoint.SessionsDescriptor;
import org.springframework.boot.session.actuate.endpoint.SessionsEndpoint;
import org.springframework.security.core.session.SessionInformation;
import org.springframework.session.security.SpringSessionBackedSessionRegistry;

import dev.ttlstore.Codec;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Sessions that one release cannot read and another one can, for example during a rolling update. */
abstract class SessionUnreadableContract extends SessionArea {

    private static final String MARK =
            "org.springframework.session.security.SpringSessionBackedSessionInformation.EXPIRED";

    /** Returns the repository of a release that cannot read the logins of the other one. */
    private StoreSessionRepository otherRelease() {
        return new StoreSessionRepository(
                store(),
                StoreSessionSettings.of(
                        Duration.ofMinutes(30), new JavaCodec(AllowedClasses.of(List.of()), "some.property", null)),
                event -> {});
    }

    private StoreSession loggedIn() {
        StoreSession session = repository().createSession();
        session.setAttribute(CONTEXT, login("ann"));
        repository().save(session);
        return session;
    }

    /** Replaces the entry of a session by bytes from which not even its id can be read. */
    private void damage(StoreSession session) {
        store().group(StoreSessionRepository.GROUP, Codec.bytes()).put(SessionKeys.of(session.getId()), new byte[] {9});
    }

    @Test
    void nobodyIsLoggedInByASessionThatCannotBeRead() {
        StoreSession session = loggedIn();
        assertThat(otherRelease().findById(session.getId())).isNull();
        StoreSession found = requireNonNull(of(otherRelease(), "ann").get(session.getId()));
        assertThat(found.isReadable()).isFalse();
        assertThat(found.getAttributeNames()).isEmpty();
        assertThat(found.<Object>getAttribute(CONTEXT)).isNull();
        assertThat(found.getCreationTime()).isEqualTo(session.getCreationTime());
        assertThat(found.isExpired()).isFalse();
        assertThat(found(repository(), session.getId()).isReadable()).isTrue();
    }

    /** They lived on for the release that can read them. */
    @Test
    void allSessionsOfAUserCanBeDeletedByAReleaseThatCannotReadThem() {
        StoreSession session = loggedIn();
        otherRelease().findByPrincipalName("ann").keySet().forEach(otherRelease()::deleteById);
        assertThat(repository().findById(session.getId())).isNull();
        assertThat(of(repository(), "ann")).isEmpty();
        assertThat(store().count()).isZero();
    }

    @Test
    void aSessionWhoseIdCannotBeReadIsFoundByItsUserAndDeleted() {
        StoreSession session = loggedIn();
        damage(session);
        assertThat(of(repository(), "ann")).hasSize(1);
        String named = of(repository(), "ann").keySet().iterator().next();
        assertThat(requireNonNull(of(repository(), "ann").get(named)).isReadable())
                .isFalse();
        assertThat(repository().findById(named)).isNull();
        repository().deleteById(named);
        assertThat(store().group(StoreSessionRepository.GROUP).count()).isZero();
        assertThat(of(repository(), "ann")).isEmpty();
    }

    /** Of another user, whose name the index no longer has for it. */
    @Test
    void aReadableSessionIsFoundByItsPresentUserOnly() {
        StoreSession session = saved(repository(), PRINCIPAL, "bob");
        store().group(StoreSessionRepository.INDEX_GROUP, Codec.bytes())
                .put(SessionKeys.ofIndex(PRINCIPAL, "ann", SessionKeys.of(session.getId())), new byte[0]);
        assertThat(of(repository(), "ann")).isEmpty();
    }

    @Test
    void whatIsSavedWithoutReadingASessionIsMergedIntoIt() {
        StoreSession session = loggedIn();
        StoreSession unreadable = requireNonNull(of(otherRelease(), "ann").get(session.getId()));
        unreadable.setAttribute(MARK, true);
        otherRelease().save(unreadable);
        StoreSession found = found(repository(), session.getId());
        assertThat(found.getAttributeNames()).containsExactlyInAnyOrder(CONTEXT, MARK);
        assertThat(of(repository(), "ann")).containsOnlyKeys(session.getId());
    }

    /** Or a user whose browser has such a session could not log in where a second login is refused. */
    @Test
    void aSessionThatCannotBeReadDoesNotCountWhenLoginsAreLimited() {
        StoreSession session = loggedIn();
        damage(loggedIn());
        SpringSessionBackedSessionRegistry<StoreSession> registry =
                new SpringSessionBackedSessionRegistry<>(otherRelease());
        assertThat(registry.getAllSessions("ann", false)).isEmpty();
        List<SessionInformation> all = registry.getAllSessions("ann", true);
        assertThat(all).hasSize(2).allMatch(SessionInformation::isExpired);
        all.forEach(SessionInformation::expireNow);
        assertThat(registry.getSessionInformation(session.getId())).isNull();
    }

    @Test
    void theSessionsEndpointListsAndDeletesThem() {
        loggedIn();
        damage(loggedIn());
        StoreSessionRepository other = otherRelease();
        SessionsEndpoint endpoint = new SessionsEndpoint(other, other);
        List<SessionsDescriptor.SessionDescriptor> sessions =
                requireNonNull(endpoint.sessionsForUsername("ann")).getSessions();
        assertThat(sessions).hasSize(2);
        sessions.forEach(session -> endpoint.deleteSession(session.getId()));
        assertThat(store().group(StoreSessionRepository.GROUP).count()).isZero();
    }
}
