package dev.ttlstore.shared;

import org.junit.jupiter.api.Tag;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.StoreContract;
import dev.ttlstore.engine.commit.FakeDatabase;
import dev.ttlstore.engine.commit.FakeEngine;

/**
 * The contract on an engine whose data other processes may write: without a near cache, and with conflicts. Run it with {@code
 * mvn -pl store-core test -Dtest=SharedStoreTests}.
 */
@Tag("fake")
class SharedStoreTests extends StoreContract {

    @Override
    protected boolean isExclusive() {
        return false;
    }

    @Override
    protected int manyEntries() {
        return 3_000;
    }

    @Override
    protected StoreBuilder builder() {
        return Store.builder().engine(settings -> new FakeEngine(new FakeDatabase(settings.clock())));
    }
}
