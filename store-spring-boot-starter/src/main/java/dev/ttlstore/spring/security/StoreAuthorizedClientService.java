package dev.ttlstore.spring.security;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;

import dev.ttlstore.LiveKeyspace;

/**
 * Keeps Spring Security's authorized clients in a store: the access and refresh tokens that an application has for its
 * users. A client expires when its tokens are of no use: the access token has expired, and the refresh token is
 * missing or has expired too. If the tokens do not say when they expire, the client expires some time after it was
 * last saved.
 *
 * <pre>{@code
 * @Bean
 * OAuth2AuthorizedClientService authorizedClients(Store store, ClientRegistrationRepository registrations) {
 *     return new StoreAuthorizedClientService(store, registrations, Duration.ofDays(30));
 * }
 * }</pre>
 *
 * <p>Clients belong to no transaction of the application, because a rollback cannot bring back a refresh token that
 * the provider has already replaced. Thread-safe.
 *
 * @since 0.1
 * @see StoreReactiveAuthorizedClientService
 * @see StoreAuthorizedClientsProperties
 */
public final class StoreAuthorizedClientService implements OAuth2AuthorizedClientService {

    /** The group that holds the clients, by the hash of the registration's id and the user's name. */
    public static final String GROUP = AuthorizedClients.GROUP;

    private final AuthorizedClients clients;
    private final ClientRegistrationRepository registrations;

    /**
     * Creates the service.
     *
     * @param store the store or scope that holds the clients
     * @param registrations the registrations of clients, which are not stored
     * @param ttl how long a client is kept since it was last saved, if its tokens do not say when they are of no use; zero for ever
     * @throws IllegalArgumentException if the ttl is negative
     */
    public StoreAuthorizedClientService(LiveKeyspace store, ClientRegistrationRepository registrations, Duration ttl) {
        this.clients = new AuthorizedClients(store, ttl);
        this.registrations = Objects.requireNonNull(registrations, "'registrations' must not be null");
    }

    /** Returns a client; null if there is none, its registration is gone, or its tokens are no longer of use. */
    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as the interface has it
    public <T extends OAuth2AuthorizedClient> @Nullable T loadAuthorizedClient(
            String clientRegistrationId, String principalName) {
        String key = AuthorizedClients.key(clientRegistrationId, principalName);
        ClientRegistration registration = registrations.findByRegistrationId(clientRegistrationId);
        if (registration == null) {
            return null;
        }
        return (T) clients.find(key).map(client -> client.of(registration)).orElse(null);
    }

    @Override
    public void saveAuthorizedClient(OAuth2AuthorizedClient authorizedClient, Authentication principal) {
        clients.save(AuthorizedClients.key(authorizedClient, principal), authorizedClient);
    }

    @Override
    public void removeAuthorizedClient(String clientRegistrationId, String principalName) {
        clients.remove(AuthorizedClients.key(clientRegistrationId, principalName));
    }
}
