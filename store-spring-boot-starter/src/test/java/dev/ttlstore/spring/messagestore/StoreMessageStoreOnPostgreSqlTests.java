package dev.ttlstore.spring.messagestore;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.spring.TestDatabase;

/** Messages in a store that several instances share. */
@SuppressWarnings("NullAway.Init") // the stores are opened before the tests
@Tag("postgresql")
@Tag("variant")
class StoreMessageStoreOnPostgreSqlTests extends StoreMessageStoreContract {

    private static final String SCHEMA = TestDatabase.freshName();

    private static HikariDataSource pool;
    private static Store store;
    private static Store second;

    private final StoreMessageStore messages = new StoreMessageStore(store, CODEC);
    private final StoreMessageStore other = new StoreMessageStore(second, CODEC);

    @BeforeAll
    static void openStores() {
        pool = new HikariDataSource();
        pool.setDataSource(TestDatabase.dataSource());
        pool.setMaximumPoolSize(16);
        pool.setMinimumIdle(0);
        store = open();
        second = open();
    }

    private static Store open() {
        return Store.builder().engine(PostgreSql.on(pool).schema(SCHEMA)).open();
    }

    @AfterAll
    static void closeStores() {
        second.close();
        store.close();
        pool.close();
    }

    @BeforeEach
    void begin() {
        long unused = store.deletePrefix("");
    }

    @Override
    StoreMessageStore messages() {
        return messages;
    }

    @Override
    StoreMessageStore other() {
        return other;
    }

    @Override
    Store store() {
        return store;
    }
}
