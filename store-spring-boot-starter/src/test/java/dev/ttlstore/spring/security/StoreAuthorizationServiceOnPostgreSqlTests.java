package dev.ttlstore.spring.security;

import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;

import dev.ttlstore.Store;
import dev.ttlstore.spring.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Authorizations in a store that several instances share. */
@Tag("postgresql")
@Tag("variant")
class StoreAuthorizationServiceOnPostgreSqlTests extends AuthorizationsContract {

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
    void instancesShareTheAuthorizations() {
        try (Store second = SharedStore.open(SCHEMA)) {
            StoreAuthorizationService other = new StoreAuthorizationService(
                    second,
                    new InMemoryRegisteredClientRepository(Authorizations.CLIENT),
                    SETTINGS,
                    StoreAuthorizationService.jsonMapper(List.of(), getClass().getClassLoader()));
            service().save(Authorizations.full("id", "1", now()).build());
            assertThat(other.findByToken("refresh-1", null)).isEqualTo(service().findById("id"));
            other.remove(Authorizations.pending("id").build());
            assertThat(service().findByToken("refresh-1", null)).isNull();
            assertThat(STORE.count()).isZero();
        }
    }
}
