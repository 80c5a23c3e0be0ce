package dev.ttlstore.spring.security;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.ReactiveOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ReactiveClientRegistrationRepository;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AccessToken.TokenType;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;

import reactor.core.publisher.Mono;

import static dev.ttlstore.spring.security.AuthorizedClientsContract.principal;
import static dev.ttlstore.spring.security.AuthorizedClientsContract.registration;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What Spring Security's reactive service for authorized clients does, and so must ours. */
abstract class ReactiveAuthorizedClientsContract {

    private ClientRegistration current = registration("login");

    final ReactiveClientRegistrationRepository registrations =
            id -> id.equals("removed") ? Mono.empty() : Mono.just(current);

    abstract ReactiveOAuth2AuthorizedClientService service();

    final void save(String user, String token) {
        service().saveAuthorizedClient(client(user, token), principal(user)).block();
    }

    final OAuth2AuthorizedClient client(String user, String token) {
        Instant now = Instant.now();
        return new OAuth2AuthorizedClient(
                current,
                user,
                new OAuth2AccessToken(TokenType.BEARER, token, now, now.plus(Duration.ofDays(1)), Set.of("read")),
                new OAuth2RefreshToken("refresh " + token, now, now.plus(Duration.ofDays(2))));
    }

    final @Nullable OAuth2AuthorizedClient load(String registration, String user) {
        return service().loadAuthorizedClient(registration, user).block();
    }

    @Test
    void aSavedClientIsLoadedAsItWas() {
        assertThat(load("login", "ann")).isNull();
        OAuth2AuthorizedClient client = client("ann", "token");
        service().saveAuthorizedClient(client, principal("ann")).block();
        OAuth2AuthorizedClient loaded = requireNonNull(load("login", "ann"));
        assertThat(loaded.getClientRegistration()).isSameAs(current);
        assertThat(loaded.getPrincipalName()).isEqualTo("ann");
        assertThat(loaded.getAccessToken()).isEqualTo(client.getAccessToken());
        assertThat(loaded.getAccessToken().getScopes()).containsExactly("read");
        assertThat(loaded.getRefreshToken()).isEqualTo(client.getRefreshToken());
        assertThat(load("login", "ben")).isNull();
        assertThat(load("removed", "ann")).isNull();
    }

    @Test
    void aClientThatIsSavedAgainIsReplaced() {
        save("ann", "first");
        save("ann", "second");
        assertThat(requireNonNull(load("login", "ann")).getAccessToken().getTokenValue())
                .isEqualTo("second");
    }

    @Test
    void theRegistrationIsTheCurrentOne() {
        save("ann", "token");
        current = registration("login");
        assertThat(requireNonNull(load("login", "ann")).getClientRegistration()).isSameAs(current);
    }

    @Test
    void aClientIsRemoved() {
        save("ann", "token");
        save("ben", "token");
        service().removeAuthorizedClient("login", "ann").block();
        service().removeAuthorizedClient("login", "nobody").block();
        service().removeAuthorizedClient("removed", "ann").block();
        assertThat(load("login", "ann")).isNull();
        assertThat(load("login", "ben")).isNotNull();
    }

    /** At once, not when somebody subscribes. */
    @SuppressWarnings("NullAway") // null is the point
    @Test
    void absentArgumentsAreRefused() {
        for (@Nullable String absent : new @Nullable String[] {null, "", " "}) {
            assertRefused(() -> service().loadAuthorizedClient(absent, "ann"));
            assertRefused(() -> service().loadAuthorizedClient("login", absent));
            assertRefused(() -> service().removeAuthorizedClient(absent, "ann"));
            assertRefused(() -> service().removeAuthorizedClient("login", absent));
        }
        assertRefused(() -> service().saveAuthorizedClient(null, principal("ann")));
        assertRefused(() -> service().saveAuthorizedClient(client("ann", "token"), null));
    }

    private static void assertRefused(Runnable call) {
        assertThatIllegalArgumentException().isThrownBy(call::run);
    }
}
