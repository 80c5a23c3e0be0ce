package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Durability;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.SmallDisk;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Disks that take nothing any more, for root neither, whom permissions do not stop. Skipped where this user may not mount
 * one.
 */
@Promise(23)
@EnabledOnOs(OS.LINUX)
class FailingDiskTests {

    @TempDir
    Path folder;

    private @Nullable SmallDisk mounted;

    @AfterEach
    void unmount() throws IOException {
        if (mounted != null) {
            mounted.close();
        }
    }

    @Test
    void aReadOnlyDiskIsRefusedWithTheReasonAndNotTouched() throws IOException {
        SmallDisk disk = mount(SmallDisk.inMemory(folder.toRealPath(), 2));
        Path file = disk.file("store.db");
        try (Store store = Store.open(file)) {
            store.group("group").put("key", "value");
        }
        byte[] before = Files.readAllBytes(file);
        disk.makeReadOnly();
        refuses(file, "Read-only file system", () -> Store.open(file));
        Path fresh = disk.file("new.db");
        refuses(fresh, "may write in it", () -> Store.open(fresh));
        Path below = disk.file("folder").resolve("store.db");
        refuses(below, "its folder exists or can be made", () -> Store.open(below));
        assertThat(file).hasBinaryContent(before);

        disk.makeWritable();
        try (Store store = Store.open(file)) {
            assertThat(store.group("group").get("key")).contains("value");
        }
        Store.open(below).close();
    }

    @Test
    void aFileThatMayNotBeWrittenIsRefusedWithTheReasonAndNotTouched() throws IOException {
        SmallDisk disk = mount(SmallDisk.inImage(folder.toRealPath(), 6));
        Path file = disk.file("store.db");
        try (Store store = Store.open(file)) {
            store.group("group").put("key", "value");
        }
        byte[] before = Files.readAllBytes(file);
        disk.protect(true, file);
        refuses(file, "Check the permissions of the file", () -> Store.open(file));
        disk.protect(false, file);
        assertThat(file).hasBinaryContent(before);
        try (Store store = Store.open(file)) {
            assertThat(store.group("group").get("key")).contains("value");
        }
    }

    @Test
    @Promise({11, 23})
    void aStoreThatMayNoLongerWriteToItsFilesIsReadAndWritesAgainWhenItMay() throws IOException {
        SmallDisk disk = mount(SmallDisk.inImage(folder.toRealPath(), 6));
        Path file = disk.file("store.db");
        try (Store store = Store.open(file)) {
            TextGroup group = store.group("group");
            group.put("before", "value");
            disk.protect(true, file, disk.file("store.db-wal"));
            refuses(file, "is read-only", () -> group.put("refused", "value"));
            refuses(file, "is read-only", () -> group.delete("before"));
            refuses(file, "is read-only", store::check);
            assertThat(group.getAll()).containsOnlyKeys("before");

            disk.protect(false, file, disk.file("store.db-wal"));
            group.put("after", "value");
            assertThatCode(store::check).doesNotThrowAnyException();
        }
        try (Store store = Store.open(file)) {
            assertThat(store.group("group").getAll()).containsOnlyKeys("before", "after");
        }
    }

    @Test
    @Promise({11, 23})
    void whatWasAcknowledgedBeforeADiskFailsIsThereWhenItIsMountedAgain() throws IOException {
        SmallDisk disk = mount(SmallDisk.inImage(folder.toRealPath(), 6));
        Path file = disk.file("store.db");
        try (Store store =
                Store.builder().path(file).durability(Durability.FULL).open()) {
            TextGroup group = store.group("group");
            for (int i = 0; i < 100; i++) {
                group.put("key" + i, "value");
            }
            disk.fail();
            refuses(file, "is read-only", () -> group.put("refused", "value"));
            refuses(file, "is read-only", store::check);
            assertThat(group.count()).isEqualTo(100);
            assertThat(group.get("key42")).contains("value");
        }
        disk.remount();
        try (Store store = Store.open(file)) {
            TextGroup group = store.group("group");
            for (int i = 0; i < 100; i++) {
                assertThat(group.get("key" + i)).contains("value");
            }
            group.put("after", "value");
        }
    }

    private SmallDisk mount(SmallDisk disk) {
        mounted = disk;
        return disk;
    }

    private static void refuses(Path file, String reason, ThrowingCallable call) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(call)
                .withMessageContaining(file.toString())
                .withMessageContaining(reason);
    }
}
