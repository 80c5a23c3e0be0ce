package dev.ttlstore.spring.security;

import java.time.Duration;
import java.util.Objects;

import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.ReactiveOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.registration.ReactiveClientRegistrationRepository;

import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.spring.reactive.StoreCalls;

import reactor.core.publisher.Mono;

/**
 * Keeps Spring Security's authorized clients of a reactive application in a store. Its entries and promises are those
 * of {@link StoreAuthorizedClientService}. Calls run as {@link StoreCalls} describes. Thread-safe.
 *
 * <pre>{@code
 * @Bean
 * ReactiveOAuth2AuthorizedClientService authorizedClients(Store store, ReactiveClientRegistrationRepository registrations) {
 *     return new StoreReactiveAuthorizedClientService(store, registrations, Duration.ofDays(30));
 * }
 * }</pre>
 *
 * @since 0.1
 * @see StoreAuthorizedClientService
 */
public final class StoreReactiveAuthorizedClientService implements ReactiveOAuth2AuthorizedClientService {

    private final AuthorizedClients clients;
    private final ReactiveClientRegistrationRepository registrations;

    /**
     * Creates the service.
     *
     * @param store the store or scope that holds the clients
     * @param registrations the registrations of clients, which are not stored
     * @param ttl how long a client is kept since it was last saved, if its tokens do not say when they are of no use; zero for ever
     * @throws IllegalArgumentException if the ttl is negative
     */
    public StoreReactiveAuthorizedClientService(
            LiveKeyspace store, ReactiveClientRegistrationRepository registrations, Duration ttl) {
        this.clients = new AuthorizedClients(store, ttl);
        this.registrations = Objects.requireNonNull(registrations, "'registrations' must not be null");
    }

    /** Returns a client; empty if there is none, its registration is gone, or its tokens are no longer of use. */
    @Override
    @SuppressWarnings("unchecked") // as the interface has it
    public <T extends OAuth2AuthorizedClient> Mono<T> loadAuthorizedClient(
            String clientRegistrationId, String principalName) {
        String key = AuthorizedClients.key(clientRegistrationId, principalName);
        return registrations
                .findByRegistrationId(clientRegistrationId)
                .flatMap(registration ->
                        StoreCalls.find(() -> clients.find(key).map(client -> (T) client.of(registration))));
    }

    @Override
    public Mono<Void> saveAuthorizedClient(OAuth2AuthorizedClient authorizedClient, Authentication principal) {
        String key = AuthorizedClients.key(authorizedClient, principal);
        return StoreCalls.run(() -> clients.save(key, authorizedClient));
    }

    @Override
    public Mono<Void> removeAuthorizedClient(String clientRegistrationId, String principalName) {
        String key = AuthorizedClients.key(clientRegistrationId, principalName);
        return StoreCalls.run(() -> clients.remove(key));
    }
}
