package dev.ttlstore.spring.security;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.spring.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Remember-me logins in a store that several instances share. */
@Tag("postgresql")
@Tag("variant")
class StorePersistentTokenRepositoryOnPostgreSqlTests extends PersistentTokensContract {

    private static final String SCHEMA = TestDatabase.freshName();
    private static final Store STORE = SharedStore.open(SCHEMA);

    @Override
    Store store() {
        return STORE;
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
            StorePersistentTokenRepository other = new StorePersistentTokenRepository(second, TTL);
            repository().createNewToken(token("joeuser", "series", "token"));
            other.updateToken("series", "newtoken", TUESDAY);
            assertThat(repository().getTokenForSeries("series"))
                    .extracting("tokenValue")
                    .isEqualTo("newtoken");
            other.removeUserTokens("joeuser");
            assertThat(repository().getTokenForSeries("series")).isNull();
        }
    }
}
