package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.CopyResult;
import dev.ttlstore.Entry;
import dev.ttlstore.GroupSettings;
import dev.ttlstore.Store;
import dev.ttlstore.StoreCopy;
import dev.ttlstore.contract.CopyContract;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.SmallDisk;
import dev.ttlstore.engine.EngineFactory;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.exception.StoreLockedException;
import dev.ttlstore.exception.StorePathException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Copies a store from one file to another. */
class FileCopyTests extends CopyContract {

    @TempDir
    Path folder;

    @Override
    protected EngineFactory source() {
        return Sqlite.file(folder.resolve("source.db"));
    }

    @Override
    protected EngineFactory target() {
        return Sqlite.file(folder.resolve("target.db"));
    }

    @Override
    protected EngineFactory other() {
        return Sqlite.file(folder.resolve("other.db"));
    }

    @Test
    void aFileThatDoesNotExistIsNotCreatedToBeCopied() {
        assertThatThrownBy(() -> StoreCopy.from(source()).to(target()).run())
                .isInstanceOf(StorePathException.class)
                .hasMessageContaining("source.db cannot be copied, because there is no such file");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    @Promise(23)
    @EnabledOnOs(OS.LINUX)
    void aCopyWithoutRoomSaysSoAndIsContinuedWhenThereIsSome() throws IOException {
        try (Store store = Store.builder().engine(source()).open()) {
            for (int i = 0; i < 3_000; i++) {
                long unused = store.group("group").put("key" + i, "x".repeat(1_000));
            }
        }
        try (SmallDisk disk = SmallDisk.inMemory(folder.toRealPath(), 16)) {
            StoreCopy copy = StoreCopy.from(source()).to(Sqlite.file(disk.file("target.db")));
            Path filler = disk.fill();
            try (FileChannel channel = FileChannel.open(filler, StandardOpenOption.WRITE)) {
                channel.truncate(channel.size() - 4_000_000);
            }
            assertThatThrownBy(copy::run)
                    .isInstanceOf(StoreFullException.class)
                    .hasMessageContaining("the rest of the copy")
                    .hasMessageNotContaining("othing was written");
            Files.delete(filler);
            assertThat(copy.run().entries()).isEqualTo(3_000);
        }
    }

    @Test
    @Promise(20)
    void aFileThatIsInUseIsNotCopied() {
        try (Store store = Store.builder().engine(source()).open()) {
            assertThatThrownBy(() -> StoreCopy.from(source())
                            .to(target())
                            .lockTimeout(Duration.ZERO)
                            .run())
                    .isInstanceOf(StoreLockedException.class);
            assertThatThrownBy(() -> StoreCopy.from(other())
                            .to(source())
                            .lockTimeout(Duration.ZERO)
                            .run())
                    .isInstanceOf(StorePathException.class);
            assertThat(store.count()).isZero();
        }
        assertThatThrownBy(() -> StoreCopy.from(source())
                        .to(source())
                        .lockTimeout(Duration.ZERO)
                        .run())
                .isInstanceOf(StoreLockedException.class);
    }

    @Test
    void aStoreInMemoryIsRefused() {
        Store.builder().engine(source()).open().close();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreCopy.from(Sqlite.inMemory()).to(target()).run())
                .withMessageContaining("'source' must not be in memory");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreCopy.from(source()).to(Sqlite.inMemory()).run())
                .withMessageContaining("'target' must not be in memory");
    }

    @Test
    void anAgeIndexIsMadeForTheCopyAndStaysInTheSource() {
        try (Store store = indexed(source())) {
            store.group("aged").put("key", "value");
        }
        try (Store store = indexed(target())) {
            store.group("aged").put("old", "value"); // the file has an index
            store.group("aged").delete("old");
        }
        CopyResult unused = StoreCopy.from(source()).to(target()).run();
        Instant later = Instant.now().plusSeconds(10);
        for (EngineFactory engine : List.of(source(), target())) {
            try (Store store = indexed(engine)) {
                assertThat(store.group("aged").createdBefore(later).map(Entry::key))
                        .containsExactly("key");
            }
        }
    }

    private static Store indexed(EngineFactory engine) {
        return Store.builder()
                .engine(engine)
                .group("aged", GroupSettings.defaults().withAgeIndex(true))
                .open();
    }
}
