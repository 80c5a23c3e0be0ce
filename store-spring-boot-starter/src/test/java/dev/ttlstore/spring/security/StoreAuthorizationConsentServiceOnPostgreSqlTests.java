package dev.ttlstore.spring.security;

import java.time.Duration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.spring.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Consents in a store that several instances share. */
@Tag("postgresql")
@Tag("variant")
class StoreAuthorizationConsentServiceOnPostgreSqlTests extends ConsentsContract {

    private static final String SCHEMA = TestDatabase.freshName();
    private static final Store STORE = SharedStore.open(SCHEMA);

    @Override
    StoreAuthorizationConsentService service() {
        return new StoreAuthorizationConsentService(STORE, Duration.ZERO);
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
    void instancesShareTheConsents() {
        try (Store second = SharedStore.open(SCHEMA)) {
            service().save(consent(CLIENT, "ann"));
            StoreAuthorizationConsentService other = new StoreAuthorizationConsentService(second, Duration.ZERO);
            assertThat(other.findById(CLIENT, "ann")).isNotNull();
            other.remove(consent(CLIENT, "ann"));
            assertThat(service().findById(CLIENT, "ann")).isNull();
        }
    }
}
