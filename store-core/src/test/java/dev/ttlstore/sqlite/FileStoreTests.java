package dev.ttlstore.sqlite;

import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.ContractPart;
import dev.ttlstore.contract.LastingStoreContract;

@Tag("file")
@ContractPart(ContractPart.Tests.PROMISES)
class FileStoreTests extends LastingStoreContract {

    @TempDir
    Path folder;

    @Override
    protected StoreBuilder builder() {
        return Store.builder().path(folder.resolve("store.db"));
    }
}
