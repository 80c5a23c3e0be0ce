package dev.ttlstore.spring.security;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.client.InMemoryReactiveOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.ReactiveOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;

import dev.ttlstore.Store;

import reactor.core.publisher.Mono;

import static dev.ttlstore.spring.security.AuthorizedClientsContract.TTL;
import static dev.ttlstore.spring.security.AuthorizedClientsContract.principal;
import static dev.ttlstore.spring.security.AuthorizedClientsContract.registration;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Authorized clients of reactive applications: they are those of the others, and their calls wait for nothing. */
class StoreReactiveAuthorizedClientServiceTests extends ReactiveAuthorizedClientsContract {

    private final Store store = Store.inMemory();

    @Override
    StoreReactiveAuthorizedClientService service() {
        return new StoreReactiveAuthorizedClientService(store, registrations, TTL);
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** The contract is what Spring Security's own service does. */
    @Nested
    class InMemory extends ReactiveAuthorizedClientsContract {

        private final ReactiveOAuth2AuthorizedClientService service =
                new InMemoryReactiveOAuth2AuthorizedClientService(registrations);

        @Override
        ReactiveOAuth2AuthorizedClientService service() {
            return service;
        }
    }

    @Test
    void applicationsOfBothKindsShareTheClients() {
        StoreAuthorizedClientService servlet = new StoreAuthorizedClientService(
                store, new InMemoryClientRegistrationRepository(registration("login")), TTL);
        save("ann", "token");
        assertThat(servlet.<OAuth2AuthorizedClient>loadAuthorizedClient("login", "ann"))
                .isNotNull();
        servlet.saveAuthorizedClient(client("ben", "token"), principal("ben"));
        assertThat(load("login", "ben")).isNotNull();
    }

    @Test
    void nothingHappensBeforeSomebodySubscribes() {
        Mono<Void> unused = service().saveAuthorizedClient(client("ann", "token"), principal("ann"));
        assertThat(store.count()).isZero();
        save("ann", "token");
        Mono<Void> unusedToo = service().removeAuthorizedClient("login", "ann");
        assertThat(load("login", "ann")).isNotNull();
    }

    @Test
    void theTtlMustNotBeNegative() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new StoreReactiveAuthorizedClientService(store, registrations, Duration.ofSeconds(-1)))
                .withMessageContaining("'ttl'");
    }
}
