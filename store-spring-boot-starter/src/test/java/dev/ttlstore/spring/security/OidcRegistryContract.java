package dev.ttlstore.spring.security;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.client.oidc.authentication.logout.OidcLogoutToken;
import org.springframework.security.oauth2.client.oidc.session.OidcSessionInformation;
import org.springframework.security.oauth2.client.oidc.session.OidcSessionRegistry;

import static dev.ttlstore.spring.security.OidcLoginsKit.ISSUER;
import static dev.ttlstore.spring.security.OidcLoginsKit.login;
import static dev.ttlstore.spring.security.OidcLoginsKit.logoutAt;
import static dev.ttlstore.spring.security.OidcLoginsKit.logoutOf;
import static dev.ttlstore.spring.security.OidcLoginsKit.user;
import static org.assertj.core.api.Assertions.assertThat;

/** What Spring Security's registry of logins at OpenID providers does, and so must ours; on each engine. */
abstract class OidcRegistryContract {

    abstract OidcSessionRegistry registry();

    final List<String> ended(OidcLogoutToken.Builder logout) {
        return StreamSupport.stream(
                        registry().removeSessionInformation(logout.build()).spliterator(), false)
                .map(OidcSessionInformation::getSessionId)
                .toList();
    }

    final void save(OidcSessionInformation session) {
        registry().saveSessionInformation(session);
    }

    @Test
    void aLogoutOfTheUserEndsTheLoginAsItWas() {
        OidcSessionInformation login = login("one", "ann", null);
        save(login);
        assertThat(registry().removeSessionInformation(logoutOf("ann").build()))
                .singleElement()
                .extracting(OidcLoginsKit.Given::of)
                .isEqualTo(OidcLoginsKit.Given.of(login));
        assertThat(ended(logoutOf("ann"))).isEmpty();
    }

    @Test
    void aLogoutOfTheSessionAtTheProviderEndsTheLogin() {
        save(login("one", "ann", "provider"));
        assertThat(ended(logoutAt("provider"))).containsExactly("one");
        assertThat(ended(logoutOf("ann"))).isEmpty();
        assertThat(registry().removeSessionInformation("one")).isNull();
    }

    @Test
    void aLogoutOfTheUserEndsAllLoginsOfTheUser() {
        save(login("one", "ben", "providerOne"));
        save(login("two", "ann", "providerTwo"));
        save(login("three", "ann", "providerThree"));
        assertThat(ended(logoutOf("ann"))).containsExactlyInAnyOrder("two", "three");
        assertThat(ended(logoutOf("ben"))).containsExactly("one");
    }

    @Test
    void ofALogoutThatNamesBothTheSessionCounts() {
        save(login("one", "ann", "providerOne"));
        save(login("two", "ann", "providerTwo"));
        assertThat(ended(logoutOf("ann").sessionId("providerTwo"))).containsExactly("two");
        assertThat(ended(logoutOf("ben").sessionId("providerOne"))).containsExactly("one");
    }

    @Test
    void aLogoutOfAnotherSessionProviderOrClientEndsNothing() {
        save(login("one", "ann", "provider"));
        assertThat(ended(logoutAt("wrong"))).isEmpty();
        assertThat(ended(logoutOf("wrong"))).isEmpty();
        assertThat(ended(logoutAt("ann"))).isEmpty();
        assertThat(ended(logoutAt("provider").issuer("https://wrong"))).isEmpty();
        assertThat(ended(logoutAt("provider").audience(List.of("wrong")))).isEmpty();
        assertThat(ended(logoutOf("ann").claims(claims -> claims.remove("sub"))))
                .isEmpty();
        assertThat(registry().removeSessionInformation("one")).isNotNull();
    }

    @Test
    void oneOfSeveralAudiencesIsEnough() {
        save(login("one", user(token -> token.audience(List.of("client", "other", "other")))));
        save(login("two", user(token -> token.audience(List.of("third")))));
        assertThat(ended(logoutOf("ann").audience(List.of("some", "third", "other"))))
                .containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void aLoginThatDoesNotSayForWhomItIsEndsWithItsSessionOnly() {
        save(login("one", user(token -> token.claims(claims -> claims.remove("aud")))));
        assertThat(ended(logoutOf("ann"))).isEmpty();
        assertThat(registry().removeSessionInformation("one")).isNotNull();
    }

    @Test
    void aLoginEndsWithItsSession() {
        OidcSessionInformation login = login("one", "ann", "provider");
        save(login);
        assertThat(registry().removeSessionInformation("two")).isNull();
        assertThat(registry().removeSessionInformation("one"))
                .extracting(OidcLoginsKit.Given::of)
                .isEqualTo(OidcLoginsKit.Given.of(login));
        assertThat(registry().removeSessionInformation("one")).isNull();
        assertThat(ended(logoutAt("provider"))).isEmpty();
    }

    @Test
    void aLoginReplacesThatOfTheSameSession() {
        save(login("one", "ann", "first"));
        save(login("one", "ben", "second"));
        assertThat(ended(logoutAt("first"))).isEmpty();
        assertThat(ended(logoutOf("ann"))).isEmpty();
        assertThat(ended(logoutAt("second"))).containsExactly("one");
    }

    @Test
    void aLoginMovesToAnotherIdAsSpringSecurityDoesIt() {
        save(login("one", "ann", "provider"));
        OidcSessionInformation before = registry().removeSessionInformation("one");
        save(before.withSessionId("two"));
        assertThat(ended(logoutAt("provider"))).containsExactly("two");
    }

    /** As after a logout that could not be passed on. */
    @Test
    void whatALogoutHasEndedCanBeSavedAgain() {
        save(login("one", "ann", "provider"));
        registry().removeSessionInformation(logoutAt("provider").build()).forEach(this::save);
        assertThat(ended(logoutAt("provider"))).containsExactly("one");
    }

    @Test
    void theHeadersOfALoginStayInOrder() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("b", "");
        headers.put("a", "\u00e4\u65e5");
        save(new OidcSessionInformation("one", headers, user(token -> {})));
        assertThat(registry().removeSessionInformation("one").getAuthorities()).containsExactlyEntriesOf(headers);
        save(new OidcSessionInformation("two", Map.of(), user(token -> token.issuer(ISSUER + "/other"))));
        assertThat(registry().removeSessionInformation("two").getAuthorities()).isEmpty();
    }
}
