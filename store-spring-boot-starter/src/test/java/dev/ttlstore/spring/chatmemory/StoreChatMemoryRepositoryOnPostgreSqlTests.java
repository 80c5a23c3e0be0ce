package dev.ttlstore.spring.chatmemory;

import java.time.Duration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.spring.TestDatabase;

/** Chat memories in a store that several instances share. */
@SuppressWarnings("NullAway.Init") // the store is opened before the tests
@Tag("postgresql")
@Tag("variant")
class StoreChatMemoryRepositoryOnPostgreSqlTests extends StoreChatMemoryRepositoryContract {

    private static HikariDataSource pool;
    private static Store store;

    @BeforeAll
    static void openStore() {
        pool = new HikariDataSource();
        pool.setDataSource(TestDatabase.dataSource());
        pool.setMinimumIdle(0);
        store = Store.builder()
                .engine(PostgreSql.on(pool).schema(TestDatabase.freshName()))
                .open();
    }

    @AfterAll
    static void closeStore() {
        store.close();
        pool.close();
    }

    @BeforeEach
    void begin() {
        long unused = store.deletePrefix("");
    }

    @Override
    StoreChatMemoryRepository chats() {
        return new StoreChatMemoryRepository(store, Duration.ofDays(30));
    }

    @Override
    Store store() {
        return store;
    }
}
