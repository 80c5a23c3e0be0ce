package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Entry;
import dev.ttlstore.GroupSettings;
import dev.ttlstore.Keyspace;
import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.StoreCopy;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.SmallDisk;
import dev.ttlstore.exception.CopyTargetException;
import dev.ttlstore.exception.StoreFullException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The age index belongs to the settings: a store has it for the groups that ask for it, whenever they do. */
@Promise(6)
class AgeIndexTests {

    private static final Duration TEN = Duration.ofMillis(10);

    private final MovableClock clock = new MovableClock();

    @TempDir
    Path folder;

    private Path file = Path.of("unset");

    @BeforeEach
    void place() throws IOException {
        file = folder.toRealPath().resolve("store.db");
    }

    private StoreBuilder builder() {
        return Store.builder().path(file).clock(clock).purgeInterval(Duration.ZERO);
    }

    private Store plain() {
        return builder().open();
    }

    private Store indexed() {
        return indexed(builder());
    }

    private static Store indexed(StoreBuilder builder) {
        return builder.group("group", GroupSettings.defaults().withAgeIndex(true))
                .open();
    }

    private List<String> keysByAge(Store store) {
        return store.group("group")
                .createdBefore(clock.instant().plusMillis(1))
                .map(Entry::key)
                .toList();
    }

    @Test
    void entriesFromBeforeTheIndexAreInIt() throws SQLException {
        try (Store store = plain()) {
            fill(store, "group", 2_500);
            fill(store, "other", 10);
        }
        clock.advance(TEN);
        try (Store store = indexed()) {
            store.group("group").put("young", "value");
            assertThat(keysByAge(store)).hasSize(2_501).endsWith("young");
            assertThat(store.group("group").sweep(TEN)).isEqualTo(2_500);
            assertThat(store.group("group").keys()).containsExactly("young");
        }
        assertThat(Sql.query(file, "SELECT grp || ' ' || complete FROM aged_group"))
                .containsExactly("group 1");
        assertThat(Sql.query(file, "SELECT count(*) FROM entry WHERE aged_at IS NOT NULL"))
                .containsExactly("1");
        assertThat(Sql.query(file, "PRAGMA integrity_check")).containsExactly("ok");
    }

    @Test
    void aRefusedCopyLeavesTheIndexOfItsTarget() throws SQLException {
        try (Store store = indexed()) {
            fill(store, "group", 10);
        }
        Path source = folder.resolve("source.db");
        Store.open(source).close();
        assertThatExceptionOfType(CopyTargetException.class).isThrownBy(() -> StoreCopy.from(Sqlite.file(source))
                .to(Sqlite.file(file))
                .run());
        assertThat(Sql.query(file, "SELECT grp || ' ' || complete FROM aged_group"))
                .containsExactly("group 1");
    }

    @Test
    void largeValuesAreIndexedAFewAtATime() {
        try (Store store = plain()) {
            String large = "x".repeat(400_000);
            IntStream.range(0, 10).forEach(i -> store.group("group").put("key" + i, large));
        }
        try (Store store = indexed()) {
            assertThat(keysByAge(store)).hasSize(10);
        }
    }

    @Test
    void whatWasWrittenWithoutTheIndexIsInItWhenItComesBack() throws SQLException {
        try (Store store = indexed()) {
            fill(store, "group", 1_500);
            store.group("group").put("short", "value", Duration.ofMillis(5));
        }
        clock.advance(TEN);
        try (Store store = plain()) {
            assertThat(Sql.query(file, "SELECT count(*) FROM aged_group")).containsExactly("0");
            assertThat(Sql.query(file, "SELECT count(*) FROM entry WHERE aged_at IS NOT NULL"))
                    .containsExactly("0");
            TextGroup group = store.group("group");
            group.put("short", "created again");
            group.delete("key1");
            group.put("key1", "created again");
            group.put("new", "value");
            group.put("key2", "overwritten");
        }
        try (Store store = indexed()) {
            assertThat(keysByAge(store)).hasSize(1_502).endsWith("key1", "new", "short");
            assertThat(store.group("group").sweep(TEN)).isEqualTo(1_499);
            assertThat(store.group("group").keys()).containsExactly("key1", "new", "short");
        }
    }

    @Test
    void aGroupWhoseIndexingWasInterruptedIsIndexedAgain() throws SQLException {
        try (Store store = indexed()) {
            fill(store, "group", 20);
        }
        Sql.run(
                file,
                "UPDATE aged_group SET complete = 0",
                "UPDATE entry SET aged_at = NULL WHERE key > 'key12'",
                "UPDATE entry SET aged_at = 1 WHERE key = 'key1'");
        try (Store store = indexed()) {
            assertThat(keysByAge(store)).hasSize(20).startsWith("key0", "key1", "key10");
        }
        assertThat(Sql.query(file, "SELECT count(*) FROM entry WHERE aged_at <> created_at"))
                .containsExactly("0");
    }

    @Test
    void anEntryThatIsCreatedAgainInItsPlaceMovesInTheIndex() {
        try (Store store = indexed()) {
            TextGroup group = store.group("group");
            group.put("expired", "value", Duration.ofMillis(5));
            group.put("expired and kept", "value", Duration.ofMillis(5));
            group.put("replaced", "value");
            group.put("standing", "value");
            clock.advance(TEN);
            group.put("expired", "created again");
            group.put("expired and kept", "created again", Duration.ofDays(1));
            store.transact(tx -> {
                tx.group("group").delete("replaced");
                tx.group("group").put("replaced", "created again");
                return true;
            });
            assertThat(keysByAge(store)).containsExactly("standing", "expired", "expired and kept", "replaced");
            assertThat(group.sweep(TEN)).isEqualTo(1);
        }
    }

    @Test
    void otherGroupsAreNotInTheIndex() throws SQLException {
        try (Store store = indexed()) {
            fill(store, "group", 3);
            fill(store, "group2", 4);
            fill(store.scope("acme"), "group", 5);
        }
        assertThat(Sql.query(file, "SELECT DISTINCT grp FROM entry WHERE aged_at IS NOT NULL"))
                .containsExactly("group");
    }

    @Test
    @Promise(23)
    @EnabledOnOs(OS.LINUX)
    void aFullDiskRefusesANewIndexAndSaysWhy() throws IOException {
        try (SmallDisk disk = SmallDisk.inMemory(folder.toRealPath(), 16)) {
            file = disk.file("store.db");
            try (Store store = plain()) {
                String value = "x".repeat(1_000);
                store.group("group")
                        .putAll(IntStream.range(0, 2_000)
                                .boxed()
                                .collect(Collectors.toMap(i -> "key" + i, i -> value)));
            }
            Path filler = disk.fill();
            try (FileChannel channel = FileChannel.open(filler, StandardOpenOption.WRITE)) {
                channel.truncate(channel.size() - 200_000); // enough to open the file
            }
            assertThatExceptionOfType(StoreFullException.class)
                    .isThrownBy(this::indexed)
                    .withMessageContaining("'group'")
                    .withMessageContaining("Free");
            try (Store store = plain()) {
                assertThat(store.group("group").count()).isEqualTo(2_000);
            }
            Files.delete(filler);
            try (Store store = indexed()) {
                assertThat(keysByAge(store)).hasSize(2_000);
            }
        }
    }

    @Test
    @Promise(23)
    @EnabledOnOs(OS.LINUX)
    void aFullDiskThatKeepsAnIndexFromBeingRemovedKeepsItUpToDate() throws IOException, SQLException {
        try (SmallDisk disk = SmallDisk.inMemory(folder.toRealPath(), 16)) {
            file = disk.file("store.db");
            try (Store store = indexed()) {
                String value = "x".repeat(1_000);
                store.group("group")
                        .putAll(IntStream.range(0, 2_000)
                                .boxed()
                                .collect(Collectors.toMap(i -> "key" + i, i -> value)));
                store.group("group").put("short", "value", Duration.ofMillis(5));
            }
            clock.advance(TEN);
            Path filler = disk.fill();
            try (FileChannel channel = FileChannel.open(filler, StandardOpenOption.WRITE)) {
                channel.truncate(channel.size() - 200_000); // enough to open the file
            }
            try (Store store = plain()) {
                assertThat(Sql.query(file, "SELECT count(*) > 0 FROM entry WHERE aged_at IS NOT NULL"))
                        .containsExactly("1");
                Files.delete(filler);
                store.group("group").put("new", "value");
                store.group("group").put("short", "created again");
            }
            assertThat(Sql.query(file, "SELECT count(*) FROM entry WHERE aged_at <> created_at"))
                    .containsExactly("0");
            try (Store store = indexed()) {
                assertThat(keysByAge(store)).hasSize(2_002).endsWith("new", "short");
            }
        }
    }

    private static void fill(Keyspace keyspace, String group, int entries) {
        Map<String, String> values =
                IntStream.range(0, entries).boxed().collect(Collectors.toMap(i -> "key" + i, i -> "value"));
        keyspace.group(group).putAll(values);
    }
}
