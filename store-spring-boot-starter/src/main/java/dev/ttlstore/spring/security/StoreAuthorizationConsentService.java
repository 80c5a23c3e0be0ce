package dev.ttlstore.spring.security;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsent;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsentService;
import org.springframework.util.Assert;

import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.spring.transaction.OutsideTransaction;

/**
 * Keeps the consents of the users of Spring's authorization server in a store. Keys are hashes. Consents belong to no
 * transaction of the application. Thread-safe.
 *
 * <pre>{@code
 * @Bean
 * OAuth2AuthorizationConsentService consents(Store store) {
 *     return new StoreAuthorizationConsentService(store, Duration.ofDays(365));
 * }
 * }</pre>
 *
 * @since 0.1
 * @see StoreAuthorizationConsentsProperties
 */
public final class StoreAuthorizationConsentService implements OAuth2AuthorizationConsentService {

    /** The group that holds the consents, by the hash of the client's id and the user's name. */
    public static final String GROUP = "authorization-consents";

    private final Group<StoredConsent> consents;
    private final Expiry expiry;

    /**
     * Creates the service.
     *
     * @param store the store or scope that holds the consents
     * @param ttl how long a consent is kept since it was last saved; then the user is asked again; zero for ever
     * @throws IllegalArgumentException if the ttl is negative
     */
    public StoreAuthorizationConsentService(LiveKeyspace store, Duration ttl) {
        this.consents = OutsideTransaction.of(store).group(GROUP, StoredConsent.CODEC);
        this.expiry = expiry(Objects.requireNonNull(ttl, "'ttl' must not be null"));
    }

    static Expiry expiry(Duration ttl) {
        if (ttl.isNegative()) {
            throw new IllegalArgumentException(
                    "'ttl' must not be negative, but is " + ttl + "; zero keeps consents for ever");
        }
        return ttl.isZero() ? Expiry.never() : Expiry.after(ttl);
    }

    /**
     * Stores a consent. It replaces an earlier one of the same client and user.
     *
     * @throws CodecException if it has an authority that is no {@code SimpleGrantedAuthority}
     */
    @Override
    public void save(OAuth2AuthorizationConsent authorizationConsent) {
        Assert.notNull(authorizationConsent, "'authorizationConsent' must not be null");
        long unused = consents.put(key(authorizationConsent), StoredConsent.of(authorizationConsent), expiry);
    }

    /** Removes the consent of the same client and user, even if it differs otherwise. */
    @Override
    public void remove(OAuth2AuthorizationConsent authorizationConsent) {
        Assert.notNull(authorizationConsent, "'authorizationConsent' must not be null");
        boolean unused = consents.delete(key(authorizationConsent));
    }

    /** Returns a consent; null if there is none, it has expired, or it cannot be read. */
    @Override
    public @Nullable OAuth2AuthorizationConsent findById(String registeredClientId, String principalName) {
        String key = key(registeredClientId, principalName);
        // Not by get: what a near cache has may be revoked.
        return Unreadable.asAbsent(GROUP, () -> consents.entry(key).map(Entry::value))
                .map(StoredConsent::consent)
                .orElse(null);
    }

    private static String key(OAuth2AuthorizationConsent consent) {
        return key(consent.getRegisteredClientId(), consent.getPrincipalName());
    }

    private static String key(String clientId, String principalName) {
        Assert.hasText(clientId, "'registeredClientId' must not be empty");
        Assert.hasText(principalName, "'principalName' must not be empty");
        return Hash.of(clientId, principalName);
    }
}
