package dev.ttlstore.spring.security;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.spring.TestDatabase;

import static dev.ttlstore.spring.security.OidcLoginsKit.login;
import static dev.ttlstore.spring.security.OidcLoginsKit.logoutOf;
import static org.assertj.core.api.Assertions.assertThat;

/** Logins at OpenID providers in a store that several instances share. */
@Tag("postgresql")
@Tag("variant")
class StoreOidcSessionRegistryOnPostgreSqlTests extends OidcRegistryContract {

    private static final String SCHEMA = TestDatabase.freshName();
    private static final Store STORE = SharedStore.open(SCHEMA);

    @Override
    StoreOidcSessionRegistry registry() {
        return registry(STORE);
    }

    private static StoreOidcSessionRegistry registry(Store store) {
        return new StoreOidcSessionRegistry(store, StoreOidcSessionRegistryTests.TTL, OidcLoginsKit.users());
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
    void instancesShareTheLogins() {
        try (Store second = SharedStore.open(SCHEMA)) {
            save(login("one", "ann", "provider"));
            registry(second).moved("one", "two");
            assertThat(ended(logoutOf("ann"))).containsExactly("two");
            assertThat(registry(second).removeSessionInformation("two")).isNull();
        }
    }
}
