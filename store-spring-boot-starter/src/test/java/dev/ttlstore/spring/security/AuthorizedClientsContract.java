package dev.ttlstore.spring.security;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AccessToken.TokenType;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;

import dev.ttlstore.Codec;
import dev.ttlstore.Store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What Spring Security asks of a service for authorized clients, and what ours promises beyond; on each engine. */
@ExtendWith(OutputCaptureExtension.class)
abstract class AuthorizedClientsContract {

    static final Duration TTL = Duration.ofDays(365);

    static final ClientRegistration LOGIN = registration("login");
    static final ClientRegistration OTHER = registration("other");
    static final ClientRegistration REMOVED = registration("removed");

    abstract Store store();

    /** Returns the time of the store, with fractions of a millisecond. */
    abstract Instant now();

    static ClientRegistration registration(String id) {
        return ClientRegistration.withRegistrationId(id)
                .clientId("client")
                .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                .tokenUri("https://provider.example/token")
                .build();
    }

    final StoreAuthorizedClientService service() {
        return service(TTL);
    }

    final StoreAuthorizedClientService service(Duration ttl) {
        return new StoreAuthorizedClientService(store(), new InMemoryClientRegistrationRepository(LOGIN, OTHER), ttl);
    }

    final OAuth2AccessToken access(String value, Duration ttl, String... scopes) {
        return new OAuth2AccessToken(
                TokenType.BEARER, value, now(), now().plus(ttl), new LinkedHashSet<>(List.of(scopes)));
    }

    final void save(String user, OAuth2AccessToken access, @Nullable OAuth2RefreshToken refresh) {
        service().saveAuthorizedClient(new OAuth2AuthorizedClient(LOGIN, user, access, refresh), principal(user));
    }

    static TestingAuthenticationToken principal(String name) {
        return new TestingAuthenticationToken(name, "password");
    }

    final @Nullable OAuth2AuthorizedClient load(String user) {
        return service().loadAuthorizedClient("login", user);
    }

    @Test
    void aSavedClientIsLoadedAsItWas() {
        OAuth2AccessToken access = access("access", Duration.ofHours(1), "read", "a,b", "write");
        OAuth2RefreshToken refresh = new OAuth2RefreshToken("refresh", now(), now().plusSeconds(7200));
        save("ann", access, refresh);
        OAuth2AuthorizedClient loaded = requireNonNull(load("ann"));
        assertThat(loaded.getClientRegistration()).isSameAs(LOGIN);
        assertThat(loaded.getPrincipalName()).isEqualTo("ann");
        assertThat(loaded.getAccessToken()).isEqualTo(access);
        assertThat(loaded.getAccessToken().getTokenType()).isEqualTo(TokenType.BEARER);
        assertThat(loaded.getAccessToken().getScopes()).containsExactly("read", "a,b", "write");
        assertThat(loaded.getRefreshToken()).isEqualTo(refresh);
    }

    @Test
    void whatATokenDoesNotSayStaysUnsaid() {
        OAuth2AccessToken access = new OAuth2AccessToken(TokenType.DPOP, "access", null, null);
        save("ann", access, new OAuth2RefreshToken("refresh", null));
        OAuth2AuthorizedClient loaded = requireNonNull(load("ann"));
        assertThat(loaded.getAccessToken()).isEqualTo(access);
        assertThat(loaded.getAccessToken().getTokenType()).isEqualTo(TokenType.DPOP);
        assertThat(loaded.getAccessToken().getScopes()).isEmpty();
        assertThat(requireNonNull(loaded.getRefreshToken()).getIssuedAt()).isNull();
        assertThat(loaded.getRefreshToken().getExpiresAt()).isNull();
        save("ann", access, null);
        assertThat(requireNonNull(load("ann")).getRefreshToken()).isNull();
    }

    @Test
    void aClientThatIsSavedAgainIsReplaced() {
        save("ann", access("first", Duration.ofHours(1)), null);
        OAuth2AccessToken second = access("second", Duration.ofHours(2));
        save("ann", second, null);
        assertThat(requireNonNull(load("ann")).getAccessToken()).isEqualTo(second);
        assertThat(store().count()).isEqualTo(1);
    }

    @Test
    void clientsAreFoundByRegistrationAndUser() {
        save("ann", access("token", Duration.ofHours(1)), null);
        assertThat(load("ben")).isNull();
        assertThat(load("an")).isNull();
        assertThat(service().<OAuth2AuthorizedClient>loadAuthorizedClient("other", "ann"))
                .isNull();
        assertThat(service().<OAuth2AuthorizedClient>loadAuthorizedClient("logi", "nann"))
                .isNull();
    }

    @Test
    void aClientIsRemoved() {
        save("ann", access("token", Duration.ofHours(1)), null);
        save("ben", access("token", Duration.ofHours(1)), null);
        service().removeAuthorizedClient("login", "ann");
        service().removeAuthorizedClient("login", "nobody");
        assertThat(load("ann")).isNull();
        assertThat(load("ben")).isNotNull();
    }

    @Test
    void aClientWhoseRegistrationIsGoneIsAbsentAndCanBeRemoved() {
        OAuth2AuthorizedClient client =
                new OAuth2AuthorizedClient(REMOVED, "ann", access("token", Duration.ofHours(1)));
        service().saveAuthorizedClient(client, principal("ann"));
        assertThat(service().<OAuth2AuthorizedClient>loadAuthorizedClient("removed", "ann"))
                .isNull();
        service().removeAuthorizedClient("removed", "ann");
        assertThat(store().count()).isZero();
    }

    @Test
    void namesOfUsersMayBeAnyTextOfAnyLength() {
        String name = "cn=Zoë\u0001日本," + "x".repeat(5_000);
        save(name, access("token", Duration.ofHours(1)), null);
        assertThat(requireNonNull(load(name)).getPrincipalName()).isEqualTo(name);
        assertThat(load(name + "x")).isNull();
    }

    @Test
    void emptyNamesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service().loadAuthorizedClient("", "ann"))
                .withMessageContaining("'clientRegistrationId'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service().loadAuthorizedClient("login", " "))
                .withMessageContaining("'principalName'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service().removeAuthorizedClient("login", ""))
                .withMessageContaining("'principalName'");
    }

    @Test
    void whatCannotBeReadIsAbsent(CapturedOutput output) {
        save("ann", access("secret", Duration.ofHours(1)), null);
        String key = Hash.of("login", "ann");
        var bytes = store().group(StoreAuthorizedClientService.GROUP, Codec.bytes());
        byte[] good = bytes.get(key).orElseThrow();
        for (byte[] bad : List.of(new byte[0], new byte[] {1}, Arrays.copyOf(good, good.length / 2), bytes("text"))) {
            bytes.put(key, bad);
            assertThat(load("ann")).isNull();
        }
        assertThat(output)
                .contains("An entry of the group 'authorized-clients' cannot be read; it counts as absent")
                .doesNotContain("secret");
        save("ann", access("new", Duration.ofHours(1)), null);
        assertThat(load("ann")).isNotNull();
    }

    private static byte[] bytes(String text) {
        return new Fields().encode(List.of(text, text, text, text, text, text, text, text));
    }
}
