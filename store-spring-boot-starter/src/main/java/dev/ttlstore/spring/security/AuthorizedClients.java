package dev.ttlstore.spring.security;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.util.Assert;

import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.spring.transaction.OutsideTransaction;

/**
 * Authorized clients in a store, for the services of both kinds of applications, which add the registrations and how they are called. Its
 * methods wait for the store. Thread-safe.
 */
final class AuthorizedClients {

    /** The group that holds the clients. */
    static final String GROUP = "authorized-clients";

    private final Group<StoredClient> clients;
    private final Expiry unknown;

    AuthorizedClients(LiveKeyspace store, Duration ttl) {
        this.clients = OutsideTransaction.of(store).group(GROUP, StoredClient.CODEC);
        this.unknown = unknown(Objects.requireNonNull(ttl, "'ttl' must not be null"));
    }

    /** Returns the expiry of a client whose tokens do not say when they are of no use. */
    static Expiry unknown(Duration ttl) {
        if (ttl.isNegative()) {
            throw new IllegalArgumentException(
                    "'ttl' must not be negative, but is " + ttl + "; zero keeps clients for ever");
        }
        return ttl.isZero() ? Expiry.never() : Expiry.after(ttl);
    }

    static String key(String registrationId, String principalName) {
        Assert.hasText(registrationId, "'clientRegistrationId' must not be empty");
        Assert.hasText(principalName, "'principalName' must not be empty");
        return Hash.of(registrationId, principalName);
    }

    static String key(OAuth2AuthorizedClient client, Authentication principal) {
        Assert.notNull(client, "'authorizedClient' must not be null");
        Assert.notNull(principal, "'principal' must not be null");
        return key(client.getClientRegistration().getRegistrationId(), principal.getName());
    }

    Optional<StoredClient> find(String key) {
        // Not by get: what a near cache has may be replaced.
        return Unreadable.asAbsent(GROUP, () -> clients.entry(key).map(Entry::value));
    }

    void save(String key, OAuth2AuthorizedClient authorizedClient) {
        StoredClient client = StoredClient.of(authorizedClient);
        Instant uselessAt = client.uselessAt();
        long unused = clients.put(key, client, uselessAt == null ? unknown : Expiry.at(uselessAt));
    }

    void remove(String key) {
        boolean unused = clients.delete(key);
    }
}
