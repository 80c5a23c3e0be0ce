package dev.ttlstore.sqlite;

import org.junit.jupiter.api.Tag;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.StoreContract;

@Tag("variant")
class InMemoryStoreTests extends StoreContract {

    @Override
    protected StoreBuilder builder() {
        return Store.builder().inMemory();
    }
}
