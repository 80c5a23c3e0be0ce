package dev.ttlstore.engine.tree;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.StoreContract;

/** The engine that docs/writing-an-engine.md explains keeps all promises but those of a file. */
class TreeEngineTests extends StoreContract {

    @Override
    protected StoreBuilder builder() {
        return Store.builder().engine(TreeEngine::new);
    }
}
