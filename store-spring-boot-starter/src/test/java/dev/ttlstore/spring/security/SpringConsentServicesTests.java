package dev.ttlstore.spring.security;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.server.authorization.InMemoryOAuth2AuthorizationConsentService;
import org.springframework.security.oauth2.server.authorization.JdbcOAuth2AuthorizationConsentService;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsentService;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;

/** The contract is what Spring Security's own services for consents do. */
class SpringConsentServicesTests {

    @Nested
    class InMemory extends ConsentsContract {

        private final OAuth2AuthorizationConsentService service = new InMemoryOAuth2AuthorizationConsentService();

        @Override
        OAuth2AuthorizationConsentService service() {
            return service;
        }
    }

    @Nested
    class Jdbc extends ConsentsContract {

        private final EmbeddedDatabase database = new EmbeddedDatabaseBuilder()
                .generateUniqueName(true)
                .setType(EmbeddedDatabaseType.H2)
                .addScript(
                        "org/springframework/security/oauth2/server/authorization/oauth2-authorization-consent-schema.sql")
                .build();
        private final OAuth2AuthorizationConsentService service = new JdbcOAuth2AuthorizationConsentService(
                new JdbcTemplate(database),
                new InMemoryRegisteredClientRepository(RegisteredClient.withId(CLIENT)
                        .clientId("shop")
                        .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                        .build()));

        @Override
        OAuth2AuthorizationConsentService service() {
            return service;
        }

        @AfterEach
        void close() {
            database.shutdown();
        }
    }
}
