package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreFullException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A disk that is full, and then has room again. Skipped where this user may not mount one. */
@Promise(23)
@EnabledOnOs(OS.LINUX)
class FullDiskTests extends SmallDiskStore {

    @Test
    @Promise({11, 23})
    void aStoreThatRunsFullKeepsWhatItHasAndGoesOnWhenThereIsRoom() throws IOException {
        Path ballast = Files.write(disk().file("ballast"), new byte[9_000_000]);
        int written;
        try (Store store = settings().open()) {
            TextGroup group = store.group("group");
            written = fill(group, 0);
            assertAllThere(store, written);
            for (int i = 0; i < 3; i++) {
                assertThatExceptionOfType(StoreFullException.class).isThrownBy(store::check);
            }
            assertAllThere(store, written);

            Files.delete(ballast);
            assertThatCode(store::check).doesNotThrowAnyException();
            group.put("key" + written, VALUE, TTL);
            written++;
            assertThat(group.delete("key0")).isTrue();
            group.put("key0", VALUE, TTL);
            assertAllThere(store, written);
        }
        try (Store store = settings().open()) {
            assertAllThere(store, written);
            clock.advance(TTL);
            assertThat(store.purgeExpired()).isEqualTo(written);
            assertThat(fill(store.group("group"), 0)).isPositive();
        }
    }

    @Test
    @Promise({8, 11, 23})
    void onlyThoseOfACommitFailThatDoNotFit() throws IOException {
        List<CompletableFuture<?>> small = new ArrayList<>();
        List<CompletableFuture<?>> large = new ArrayList<>();
        try (Store store = settings().open()) {
            TextGroup group = store.group("group");
            Path ballast = Files.write(disk().file("ballast"), new byte[14_000_000]);
            // Whoever comes while a transaction is under way waits, and is committed together with the others.
            String tooLarge = "x".repeat(1_000_000);
            store.<Boolean>transact(tx -> {
                Thread other = new Thread(() -> {
                    for (int i = 0; i < 10; i++) {
                        small.add(group.async().put("small" + i, "value"));
                        large.add(group.async().put("large" + i, tooLarge));
                    }
                });
                other.start();
                join(other);
                return true;
            });
            assertThat(small).allSatisfy(write -> assertThatCode(write::join).doesNotThrowAnyException());
            assertThat(large.stream().filter(FullDiskTests::isRefusedForWantOfRoom))
                    .hasSizeGreaterThan(5);
            assertThat(group.keys().filter(key -> key.startsWith("small"))).hasSize(10);
            Files.delete(ballast);
            group.put("large", tooLarge);
        }
        try (Store store = settings().open()) {
            TextGroup group = store.group("group");
            assertThat(group.getAll().keySet())
                    .filteredOn(key -> key.startsWith("small"))
                    .hasSize(10);
            for (int i = 0; i < 10; i++) {
                assertThat(group.contains("large" + i)).isEqualTo(!large.get(i).isCompletedExceptionally());
            }
            assertThat(group.contains("large")).isTrue();
        }
    }

    @Test
    void aStoreOnAFullDiskCanBeOpenedReadAndClosed() throws IOException {
        int written;
        try (Store store = settings().open()) {
            written = fill(store.group("group"), 0);
        }
        Path filler = disk().fill();
        try (Store store = settings().open()) {
            assertAllThere(store, written);
        }
        Files.delete(filler);
        try (Store store = settings().open()) {
            assertAllThere(store, written);
        }
    }

    @Test
    void aStoreThatDoesNotFitOnItsDiskIsNotMadeAndCanBeLater() throws IOException {
        Path filler = disk().fill();
        assertThatExceptionOfType(StoreFullException.class)
                .isThrownBy(() -> settings().open())
                .withMessageContaining(file.toString());
        Files.delete(filler);
        try (Store store = settings().open()) {
            store.group("group").put("key", "value");
            assertThat(store.group("group").get("key")).contains("value");
        }
    }

    @Test
    @Promise({21, 23})
    void aFileThatCannotBeCopiedBeforeItsMigrationStaysAsItIs() throws IOException, SQLException {
        Sql.run(
                file,
                "CREATE TABLE kv (grp TEXT, key TEXT, value TEXT)",
                "INSERT INTO kv VALUES ('group', 'key', printf('%.2000000c', 'x'))");
        byte[] before = Files.readAllBytes(file);
        Path filler = disk().fill();
        Sqlite copying = Sqlite.file(file).copyBeforeMigration(true);
        assertThatExceptionOfType(StoreFullException.class)
                .isThrownBy(() -> Store.builder().engine(copying).open())
                .withMessageContaining(file + ".kv")
                .withMessageContaining("copyBeforeMigration");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        try (Stream<Path> files = Files.list(file.getParent())) {
            assertThat(files.map(path -> path.getFileName().toString())).noneMatch(name -> name.contains(".kv"));
        }
        Files.delete(filler);
        try (Store store = Store.builder().engine(copying).open()) {
            assertThat(store.group("group").get("key")).isPresent();
        }
    }

    @Test
    @Promise(23)
    void aFullDiskThatIsFoundAtTheOpeningIsNoTrapEither() throws IOException {
        int written;
        try (Store store = settings().open()) {
            written = fill(store.group("group"), 0);
        }
        disk().fill();
        for (int i = 0; i < 3; i++) {
            try (Store store = settings().open()) {
                assertRefused(store::check);
                assertThat(store.group("group").delete("key" + i)).isTrue();
                assertThat(store.group("group").count()).isEqualTo(--written);
            }
        }
        try (Store store = settings().open()) {
            clock.advance(TTL);
            assertThat(store.purgeExpired()).isEqualTo(written);
        }
    }

    @Test
    @Tag("crash")
    @Promise(23)
    void aKilledStoreWhoseLogFillsTheDiskIsNoTrapEither() throws IOException, InterruptedException {
        int written;
        try (ChildJvm child = ChildJvm.start(FillingProgram.class, file, "hold")) {
            child.await("refused");
            written = Integer.parseInt(child.await("written"));
            disk().fill();
            child.kill();
        }
        try (Store store = settings().open()) {
            assertThat(store.group("group").count()).isEqualTo(written);
            disk().fill(); // what the log has given back
            assertRefused(store::check);
            for (int i = 0; i < written; i++) {
                assertThat(store.group("group").delete("key" + i)).isTrue();
            }
            assertThat(store.count()).isZero();
        }
    }

    @Test
    @Promise(23)
    void roomThatIsFreedOutsideIsThereForWrites() throws IOException {
        try (Store store = settings().open()) {
            Path ballast = Files.write(disk().file("ballast"), new byte[2 * 1024 * 1024]);
            TextGroup group = store.group("group");
            int written = fill(group, 0);
            Path filler = disk().fill();
            for (int i = 0; i < 10; i++) {
                assertRefused(() -> group.put("more", VALUE));
            }
            Files.delete(filler);
            Files.delete(ballast);
            assertThatCode(store::check).doesNotThrowAnyException();
            int more = fill(group, written) - written;
            assertThat(more * VALUE.length()).isGreaterThan(1_000_000);
        }
    }

    private static boolean isRefusedForWantOfRoom(CompletableFuture<?> write) {
        try {
            write.join();
            return false;
        } catch (CompletionException e) {
            assertThat(e).hasCauseInstanceOf(StoreFullException.class);
            return true;
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void assertAllThere(Store store, int written) {
        assertThat(store.group("group").count()).isEqualTo(written);
        for (int i = 0; i < written; i++) {
            assertThat(store.group("group").get("key" + i)).contains(VALUE);
        }
    }
}
