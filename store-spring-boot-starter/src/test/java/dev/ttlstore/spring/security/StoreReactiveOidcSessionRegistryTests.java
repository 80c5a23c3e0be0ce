package dev.ttlstore.spring.security;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.client.oidc.authentication.logout.OidcLogoutToken;
import org.springframework.security.oauth2.client.oidc.session.OidcSessionInformation;
import org.springframework.security.oauth2.client.oidc.session.OidcSessionRegistry;

import dev.ttlstore.Store;

import reactor.core.publisher.Mono;

import static dev.ttlstore.spring.security.OidcLoginsKit.login;
import static dev.ttlstore.spring.security.OidcLoginsKit.logoutAt;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** The registry of reactive applications does the same. */
class StoreReactiveOidcSessionRegistryTests extends OidcRegistryContract {

    private final Store store = Store.inMemory();
    private final StoreReactiveOidcSessionRegistry registry =
            new StoreReactiveOidcSessionRegistry(store, StoreOidcSessionRegistryTests.TTL, OidcLoginsKit.users());

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    OidcSessionRegistry registry() {
        return new Waiting(registry);
    }

    private record Waiting(StoreReactiveOidcSessionRegistry registry) implements OidcSessionRegistry {

        @Override
        public void saveSessionInformation(OidcSessionInformation info) {
            registry.saveSessionInformation(info).block();
        }

        @Override
        @SuppressWarnings("NullAway") // the interface says so in words only
        public OidcSessionInformation removeSessionInformation(String clientSessionId) {
            return registry.removeSessionInformation(clientSessionId).block();
        }

        @Override
        public Iterable<OidcSessionInformation> removeSessionInformation(OidcLogoutToken logoutToken) {
            return requireNonNull(
                    registry.removeSessionInformation(logoutToken).collectList().block());
        }
    }

    @Test
    void nothingHappensBeforeSomebodySubscribes() {
        Mono<Void> unused = registry.saveSessionInformation(login("one", "ann", "provider"));
        assertThat(store.count()).isZero();
        save(login("one", "ann", "provider"));
        var unusedToo = List.of(
                registry.removeSessionInformation("one"),
                registry.removeSessionInformation(logoutAt("provider").build()));
        assertThat(store.count()).isEqualTo(3);
    }

    @Test
    void aLoginFollowsItsSession() {
        save(login("one", "ann", "provider"));
        registry.moved("one", "two");
        registry.renewed("two", StoreOidcSessionRegistryTests.TTL);
        assertThat(ended(logoutAt("provider"))).containsExactly("two");
        save(login("one", "ann", "provider"));
        registry.ended("one");
        assertThat(store.count()).isZero();
    }
}
