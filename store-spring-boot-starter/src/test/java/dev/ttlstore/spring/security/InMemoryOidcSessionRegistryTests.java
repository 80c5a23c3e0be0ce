package dev.ttlstore.spring.security;

import org.springframework.security.oauth2.client.oidc.session.InMemoryOidcSessionRegistry;
import org.springframework.security.oauth2.client.oidc.session.OidcSessionRegistry;

/** The contract is what Spring Security's own registry does. */
class InMemoryOidcSessionRegistryTests extends OidcRegistryContract {

    private final InMemoryOidcSessionRegistry registry = new InMemoryOidcSessionRegistry();

    @Override
    OidcSessionRegistry registry() {
        return registry;
    }
}
