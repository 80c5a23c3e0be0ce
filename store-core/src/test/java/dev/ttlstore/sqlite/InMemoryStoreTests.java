package dev.ttlstore.sqlite;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.StoreContract;

/** The whole contract on the engine of a file, without one. */
class InMemoryStoreTests extends StoreContract {

    @Override
    protected StoreBuilder builder() {
        return Store.builder().inMemory();
    }
}
