package dev.ttlstore.sqlite;

import org.junit.jupiter.api.extension.ExtendWith;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.PromisesUnlessThorough;
import dev.ttlstore.contract.StoreContract;

/** The engine is that of the file, for which every test runs in each build. */
@ExtendWith(PromisesUnlessThorough.class)
class InMemoryStoreTests extends StoreContract {

    @Override
    protected StoreBuilder builder() {
        return Store.builder().inMemory();
    }
}
