package dev.ttlstore.postgresql;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.StoreEvent;

import static dev.ttlstore.contract.Assertions.assertThat;

/** An administrator has partitioned the table of entries, of which a statement cannot ask for system columns. */
@Tag("postgresql")
class PartitionedEntriesTests {

    private final Nodes nodes = new Nodes(TestServer.freshSchema());
    private final List<String> texts = new CopyOnWriteArrayList<>();
    private final List<StoreEvent> told = new CopyOnWriteArrayList<>();
    private TextGroup group;

    @BeforeEach
    void open() throws SQLException {
        TestServer.assumeNoLockIsNeeded();
        nodes.open(TestServer.pool()).close();
        TestServer.partitionEntries(nodes.schema());
        Store store = nodes.open(nodes.pool(3, ServerCommitTests.recording(TestServer.dataSource(), texts)));
        store.onChange(told::add);
        group = store.group("group");
    }

    @AfterEach
    void close() throws IOException {
        nodes.close();
    }

    @Test
    void aPutTakesOneRoundTrip() {
        // The first texts take longer, and a commit that is late is decided again.
        Awaitility.await().atMost(Nodes.PATIENCE).pollInSameThread().untilAsserted(() -> assertThat(
                        ServerCommitTests.ofStore(texts, () -> group.put("key", "value")))
                .hasSize(1));
    }

    @Test
    @Promise(13)
    void putsAreToldAsWhatTheyWere() {
        group.put("key", "a");
        group.put("key", "b");
        List<CompletableFuture<Long>> puts = IntStream.range(0, 20)
                .mapToObj(i -> group.async().put(i % 2 == 0 ? "key" + i : "key", "value" + i))
                .toList();
        puts.forEach(CompletableFuture::join);
        List<String> expected = IntStream.range(0, 20)
                .mapToObj(i -> i % 2 == 0 ? "key" + i + " created" : "key replaced")
                .toList();
        assertThat(ServerCommitTests.puts(told))
                .startsWith("key created", "key replaced")
                .endsWith(expected.toArray(String[]::new));
        assertThat(group.getAll()).containsEntry("key", "value19").containsEntry("key18", "value18");
    }
}
