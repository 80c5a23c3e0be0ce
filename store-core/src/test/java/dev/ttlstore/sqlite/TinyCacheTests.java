package dev.ttlstore.sqlite;

import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.CacheSizeContract;

/** A cache of a few entries, which evicts all the time. */
@Tag("variant")
class TinyCacheTests extends CacheSizeContract {

    @TempDir
    Path folder;

    @Override
    protected StoreBuilder builder() {
        return Store.builder().path(folder.resolve("store.db")).cacheSize(800);
    }
}
