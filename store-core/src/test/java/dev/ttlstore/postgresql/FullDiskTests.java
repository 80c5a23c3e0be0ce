package dev.ttlstore.postgresql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.SmallDisk;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFullException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Disks of the server that are full: that of the tables, and that of the write-ahead log, without which it stops. */
@Tag("postgresql")
@Promise({8, 11, 23})
class FullDiskTests {

    /** Far more than a small disk has left. */
    private static final int TOO_MANY = 10_000;

    private static final int VALUE_BYTES = 20_000;

    @TempDir
    Path folder;

    private final Nodes nodes = new Nodes("full");
    private final Random random = new Random(7);

    private @Nullable SmallDisk mounted;
    private @Nullable PrivateServer started;

    @BeforeEach
    void start() throws IOException {
        mounted = SmallDisk.inMemory(folder.toRealPath(), 48);
        started = PrivateServer.create();
    }

    @AfterEach
    void stop() throws IOException {
        try {
            nodes.close();
        } finally {
            if (started != null) {
                started.close();
            }
            if (mounted != null) {
                mounted.close();
            }
        }
    }

    private SmallDisk disk() {
        return requireNonNull(mounted);
    }

    private PrivateServer server() {
        return requireNonNull(started);
    }

    private Store open() {
        return nodes.open(nodes.hastyPool(4, server().dataSource()), Timeouts.DEFAULT);
    }

    @Test
    void whatDoesNotFitIsRefusedAndTheStoreGoesOnWhenThereIsRoom() throws IOException {
        Path tables = Files.createDirectory(disk().file("tables"));
        server().execute(
                        "CREATE TABLESPACE small LOCATION '" + tables + "'",
                        "GRANT CREATE ON TABLESPACE small TO " + PrivateServer.APPLICATION,
                        "ALTER ROLE " + PrivateServer.APPLICATION + " SET default_tablespace = small");
        Store store = open();
        TextGroup group = store.group("group");
        group.put("before", "value");
        Path filler = disk().fill();
        Set<String> acknowledged = new HashSet<>(Set.of("before"));
        String refused = putUntilRefused(group, acknowledged, StoreFullException.class);

        assertThat(group.get("before")).contains("value");
        assertThat(group.get(refused)).isEmpty();
        assertThat(keys(store)).containsExactlyInAnyOrderElementsOf(acknowledged);
        assertThatThrownBy(() -> group.put(refused, value()))
                .isInstanceOf(StoreFullException.class)
                .hasMessageContaining("Free space on its disk")
                .hasMessageContaining("Nothing was written")
                .message()
                .doesNotContain(refused);
        assertThatThrownBy(() -> store.transactWithoutResult(tx -> {
                    tx.group("group").put("in", "value");
                    tx.group("group").put("transaction", value());
                }))
                .isInstanceOf(StoreFullException.class);
        assertThat(group.contains("in")).isFalse();

        Files.delete(filler);
        group.put(refused, value());
        acknowledged.add(refused);
        assertThat(keys(store)).containsExactlyInAnyOrderElementsOf(acknowledged);
        assertThatCode(store::check).doesNotThrowAnyException();
    }

    @Test
    @Tag("crash")
    void aServerThatStopsForAFullDiskHasLostNothingWhenItIsBack() throws IOException {
        Path log = disk().file("log");
        server().moveLogTo(log);
        Store store = open();
        TextGroup group = store.group("group");
        Path filler = disk().fill();
        Set<String> acknowledged = new HashSet<>();
        Set<String> unknown = new HashSet<>();
        Set<String> refused = new HashSet<>();
        for (int i = 0; i < TOO_MANY && refused.size() < 3; i++) {
            String key = "key" + i;
            try {
                group.put(key, value());
                acknowledged.add(key);
            } catch (OutcomeUnknownException e) {
                unknown.add(key);
            } catch (StoreException e) {
                refused.add(key);
            }
        }
        assertThat(refused).hasSize(3);

        Files.delete(filler);
        server().kill();
        server().start();
        Awaitility.await().atMost(Nodes.PATIENCE).ignoreExceptions().until(() -> group.put("after", value()) > 0);
        Set<String> keys = keys(store);
        assertThat(keys).containsAll(acknowledged).doesNotContainAnyElementsOf(refused);
        keys.removeAll(acknowledged);
        keys.removeAll(unknown);
        assertThat(keys).containsExactly("after");
    }

    private String putUntilRefused(TextGroup group, Set<String> acknowledged, Class<? extends StoreException> how) {
        for (int i = 0; i < TOO_MANY; i++) {
            String key = "key" + i;
            try {
                group.put(key, value());
                acknowledged.add(key);
            } catch (StoreException e) {
                assertThat(e).isInstanceOf(how);
                return key;
            }
        }
        throw new AssertionError("The disk has not run full");
    }

    /** Returns a value that the server cannot compress. */
    private String value() {
        byte[] bytes = new byte[VALUE_BYTES];
        random.nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static Set<String> keys(Store store) {
        return new HashSet<>(store.group("group").getAll().keySet());
    }
}
