package dev.ttlstore.spring.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;

import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.JdbcOneTimeTokenService;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;
import org.springframework.security.authentication.ott.OneTimeTokenService;
import org.springframework.security.oauth2.client.JdbcOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.server.authorization.JdbcOAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.web.authentication.rememberme.JdbcTokenRepositoryImpl;
import org.springframework.security.web.authentication.rememberme.PersistentRememberMeToken;
import org.springframework.security.web.authentication.rememberme.PersistentTokenRepository;

import dev.ttlstore.spring.security.AuthorizationSettings;
import dev.ttlstore.spring.security.StoreAuthorizationService;
import dev.ttlstore.spring.security.StoreAuthorizedClientService;
import dev.ttlstore.spring.security.StoreOneTimeTokenService;
import dev.ttlstore.spring.security.StorePersistentTokenRepository;

import static java.util.Objects.requireNonNull;

/** Spring Security's tokens: for one login, for being remembered, and of an authorization server. */
final class TokenRaces {

    private static final RegisteredClient CLIENT = RegisteredClient.withId("client")
            .clientId("client")
            .clientSecret("secret")
            .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
            .build();

    private static final ClientRegistration REGISTRATION = ClientRegistration.withRegistrationId("login")
            .clientId("client")
            .clientSecret("secret")
            .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
            .tokenUri("https://server.example/token")
            .build();

    private static final ClientRegistrationRepository REGISTRATIONS =
            new InMemoryClientRegistrationRepository(REGISTRATION);

    private static final RegisteredClientRepository CLIENTS = new InMemoryRegisteredClientRepository(CLIENT);

    private final Race once = new Race("one-time token: generate and consume", 1);
    private final Race remember = new Race("remember-me: read and renew", 1);
    private final Race save = new Race("authorization: save a new one", 1);
    private final Race find = new Race("authorization: find by token", 1);
    private final Race client = new Race("authorized client: save and load", 1);

    private TokenRaces() {}

    static List<Race> of(Bench bench) throws Exception {
        TokenRaces races = new TokenRaces();
        bench.stores().forEach((side, store) -> {
            races.add(side, new StoreOneTimeTokenService(store));
            races.add(side, new StorePersistentTokenRepository(store, Duration.ofDays(14)));
            races.add(
                    side,
                    new StoreAuthorizationService(
                            store,
                            CLIENTS,
                            new AuthorizationSettings(Duration.ofMinutes(30), Duration.ofDays(1)),
                            StoreAuthorizationService.jsonMapper(List.of(), TokenRaces.class.getClassLoader())));
            races.add(side, new StoreAuthorizedClientService(store, REGISTRATIONS, Duration.ofDays(365)));
        });
        JdbcTemplate jdbc = bench.database().jdbc();
        createTables(jdbc);
        JdbcOneTimeTokenService tokens = new JdbcOneTimeTokenService(jdbc);
        tokens.destroy(); // its thread that clears up, which would keep the JVM alive
        races.add(Side.JDBC, tokens);
        JdbcTokenRepositoryImpl logins = new JdbcTokenRepositoryImpl();
        logins.setDataSource(bench.database().pool());
        logins.afterPropertiesSet();
        races.add(Side.JDBC, logins);
        races.add(Side.JDBC, new JdbcOAuth2AuthorizationService(jdbc, CLIENTS));
        races.add(Side.JDBC, new JdbcOAuth2AuthorizedClientService(jdbc, REGISTRATIONS));
        return List.of(races.once, races.remember, races.find, races.save, races.client);
    }

    /** The tables of Spring Security, with PostgreSQL's names of types, as its comments advise. */
    private static void createTables(JdbcTemplate jdbc) {
        jdbc.execute(read("org/springframework/security/core/ott/jdbc/one-time-tokens-schema.sql")
                .replace("varchar_ignorecase", "varchar"));
        jdbc.execute(JdbcTokenRepositoryImpl.CREATE_TABLE_SQL);
        jdbc.execute(read("org/springframework/security/oauth2/server/authorization/oauth2-authorization-schema.sql")
                .replace(" blob ", " text ")
                .replace(" timestamp ", " timestamptz "));
        jdbc.execute(read("org/springframework/security/oauth2/client/oauth2-client-schema-postgres.sql"));
    }

    private static String read(String path) {
        try {
            return new ClassPathResource(path).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(Side side, OneTimeTokenService service) {
        once.add(side, () -> {
            String token =
                    service.generate(new GenerateOneTimeTokenRequest("user")).getTokenValue();
            Race.require(service.consume(new OneTimeTokenAuthenticationToken(token)) != null, "the token is unknown");
        });
    }

    /** What a login by a cookie does, whose token it replaces. */
    @SuppressWarnings("JavaUtilDate") // Spring Security asks for it
    private void add(Side side, PersistentTokenRepository repository) {
        Bench.forEachKey(key -> repository.createNewToken(
                new PersistentRememberMeToken("user " + key, "series " + key, "token", new Date())));
        remember.add(side, () -> {
            String series = "series " + Bench.random();
            requireNonNull(repository.getTokenForSeries(series));
            repository.updateToken(series, UUID.randomUUID().toString(), new Date());
        });
    }

    private void add(Side side, OAuth2AuthorizationService service) {
        Bench.forEachKey(key -> service.save(authorization("known token " + key)));
        find.add(
                side,
                () -> requireNonNull(
                        service.findByToken("known token " + Bench.random(), OAuth2TokenType.ACCESS_TOKEN)));
        save.add(side, () -> service.save(authorization(UUID.randomUUID().toString())));
    }

    private void add(Side side, OAuth2AuthorizedClientService service) {
        client.add(side, () -> {
            String user = "user " + Bench.random();
            Instant now = Instant.now();
            OAuth2AccessToken token = new OAuth2AccessToken(
                    OAuth2AccessToken.TokenType.BEARER,
                    UUID.randomUUID().toString(),
                    now,
                    now.plus(Duration.ofHours(1)));
            try {
                service.saveAuthorizedClient(
                        new OAuth2AuthorizedClient(REGISTRATION, user, token),
                        new TestingAuthenticationToken(user, "password"));
            } catch (DuplicateKeyException e) {
                // The JDBC class looks and then inserts, so two callers that are the first for a user collide.
            }
            OAuth2AuthorizedClient loaded = service.loadAuthorizedClient("login", user);
            Race.require(loaded != null, "the client is unknown");
        });
    }

    private static OAuth2Authorization authorization(String token) {
        Instant now = Instant.now();
        return OAuth2Authorization.withRegisteredClient(CLIENT)
                .id(UUID.randomUUID().toString())
                .principalName("client")
                .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                .accessToken(new OAuth2AccessToken(
                        OAuth2AccessToken.TokenType.BEARER, token, now, now.plus(Duration.ofHours(1))))
                .build();
    }
}
