package dev.ttlstore.spring.security;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;

import dev.ttlstore.Store;
import dev.ttlstore.spring.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Authorized clients in a store that several instances share. */
@Tag("postgresql")
@Tag("variant")
class StoreAuthorizedClientServiceOnPostgreSqlTests extends AuthorizedClientsContract {

    private static final String SCHEMA = TestDatabase.freshName();
    private static final Store STORE = SharedStore.open(SCHEMA);

    @Override
    Store store() {
        return STORE;
    }

    @Override
    Instant now() {
        return Instant.now();
    }

    @AfterEach
    void clear() {
        STORE.deletePrefix("");
    }

    @AfterAll
    static void close() {
        STORE.close();
    }

    @Test
    void instancesShareTheClients() {
        try (Store second = SharedStore.open(SCHEMA)) {
            save("ann", access("token", Duration.ofHours(1)), null);
            StoreAuthorizedClientService other = new StoreAuthorizedClientService(
                    second, new InMemoryClientRegistrationRepository(List.of(LOGIN)), TTL);
            assertThat(other.<OAuth2AuthorizedClient>loadAuthorizedClient("login", "ann"))
                    .isNotNull();
            other.removeAuthorizedClient("login", "ann");
            assertThat(load("ann")).isNull();
        }
    }
}
