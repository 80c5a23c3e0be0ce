package dev.ttlstore.sqlite;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.ContractPart;
import dev.ttlstore.contract.StoreContract;

/** The promises on the engine of a file, without one. */
@ContractPart(ContractPart.Tests.PROMISES)
class InMemoryStoreTests extends StoreContract {

    @Override
    protected StoreBuilder builder() {
        return Store.builder().inMemory();
    }
}
