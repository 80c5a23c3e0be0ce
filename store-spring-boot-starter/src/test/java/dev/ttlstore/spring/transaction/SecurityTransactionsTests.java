package dev.ttlstore.spring.transaction;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.OneTimeToken;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.web.authentication.rememberme.PersistentRememberMeToken;

import dev.ttlstore.Store;
import dev.ttlstore.spring.security.AuthorizationSettings;
import dev.ttlstore.spring.security.StoreAuthorizationService;
import dev.ttlstore.spring.security.StoreAuthorizedClientService;
import dev.ttlstore.spring.security.StoreOneTimeTokenService;
import dev.ttlstore.spring.security.StorePersistentTokenRepository;
import dev.ttlstore.spring.transaction.TransactionalApplication.Refusal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Spring Security's tokens in a store on PostgreSQL belong to no transaction of the application that is rolled back. */
@SuppressWarnings("JavaUtilDate") // that is what Spring Security has
@ExtendWith(TransactionalApplication.Shared.class)
class SecurityTransactionsTests {

    private static void rollBack(TransactionalApplication application, Runnable work) {
        assertThatThrownBy(() -> application.service().run(() -> {
                    work.run();
                    throw new Refusal();
                }))
                .isInstanceOf(Refusal.class);
    }

    @Test
    void aTokenThatWasConsumedOrALoginThatWasReplacedStaysSo() {
        TransactionalApplication.run((application, other) -> {
            StoreOneTimeTokenService tokens = new StoreOneTimeTokenService(application.store());
            OneTimeToken token = tokens.generate(new GenerateOneTimeTokenRequest("ann"));
            OneTimeTokenAuthenticationToken presented = new OneTimeTokenAuthenticationToken(token.getTokenValue());
            rollBack(application, () -> assertThat(tokens.consume(presented)).isNotNull());
            assertThat(tokens.consume(presented)).isNull();

            StorePersistentTokenRepository logins =
                    new StorePersistentTokenRepository(application.store(), Duration.ofDays(14));
            rollBack(application, () -> {
                logins.createNewToken(new PersistentRememberMeToken("ann", "series", "first", new Date()));
                logins.updateToken("series", "second", new Date());
            });
            assertThat(logins.getTokenForSeries("series"))
                    .extracting("tokenValue")
                    .isEqualTo("second");
            rollBack(application, () -> logins.removeUserTokens("ann"));
            assertThat(logins.getTokenForSeries("series")).isNull();
        });
    }

    @Test
    void anAuthorizationOrAClientThatWasSavedOrRemovedStaysSo() {
        TransactionalApplication.run((application, other) -> {
            StoreAuthorizationService authorizations = authorizations(application.store());
            OAuth2AccessToken access = new OAuth2AccessToken(
                    OAuth2AccessToken.TokenType.BEARER,
                    "token",
                    Instant.now(),
                    Instant.now().plusSeconds(300));
            OAuth2Authorization authorization = OAuth2Authorization.withRegisteredClient(CLIENT)
                    .id("id")
                    .principalName("client")
                    .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                    .token(access)
                    .build();
            rollBack(application, () -> authorizations.save(authorization));
            assertThat(authorizations.findByToken("token", null)).isEqualTo(authorization);
            rollBack(application, () -> authorizations.remove(authorization));
            assertThat(authorizations.findById("id")).isNull();

            StoreAuthorizedClientService clients = new StoreAuthorizedClientService(
                    application.store(), new InMemoryClientRegistrationRepository(REGISTRATION), Duration.ZERO);
            rollBack(
                    application,
                    () -> clients.saveAuthorizedClient(
                            new OAuth2AuthorizedClient(REGISTRATION, "ann", access),
                            new TestingAuthenticationToken("ann", "")));
            assertThat(clients.<OAuth2AuthorizedClient>loadAuthorizedClient("login", "ann"))
                    .isNotNull();
        });
    }

    private static final RegisteredClient CLIENT = RegisteredClient.withId("client")
            .clientId("client")
            .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
            .build();

    private static final ClientRegistration REGISTRATION = ClientRegistration.withRegistrationId("login")
            .clientId("client")
            .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
            .tokenUri("https://provider.example/token")
            .build();

    private static StoreAuthorizationService authorizations(Store store) {
        return new StoreAuthorizationService(
                store,
                new InMemoryRegisteredClientRepository(CLIENT),
                new AuthorizationSettings(Duration.ofMinutes(30), Duration.ZERO),
                StoreAuthorizationService.jsonMapper(List.of(), SecurityTransactionsTests.class.getClassLoader()));
    }
}
