package dev.ttlstore.spring.security;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

import dev.ttlstore.Store;
import dev.ttlstore.spring.TestDatabase;

/** One-time tokens in a store that several instances share. */
@Tag("postgresql")
@Tag("variant")
class StoreOneTimeTokenServiceOnPostgreSqlTests extends OneTimeTokensContract {

    private static final String SCHEMA = TestDatabase.freshName();
    private static final Store STORE = SharedStore.open(SCHEMA);
    private static final Store SECOND = SharedStore.open(SCHEMA);

    @Override
    Store store() {
        return STORE;
    }

    @Override
    List<StoreOneTimeTokenService> services(int count) {
        List<StoreOneTimeTokenService> services = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            services.add(new StoreOneTimeTokenService(i % 2 == 0 ? STORE : SECOND));
        }
        return services;
    }

    @AfterEach
    void clear() {
        STORE.deletePrefix("");
    }

    @AfterAll
    static void close() {
        SECOND.close();
        STORE.close();
    }
}
