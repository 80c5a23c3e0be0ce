package dev.ttlstore.postgresql;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Expiry;
import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Purges beside those of other nodes. */
@Tag("postgresql")
class SharedPurgeTests {

    private final Nodes nodes = new Nodes();
    private final Store store = nodes.open(nodes.pool(4, TestServer.dataSource()), Timeouts.DEFAULT);
    private final List<StoreEvent> told = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws IOException {
        nodes.close();
    }

    private void expire(String group, int entries) {
        Map<String, String> values =
                IntStream.range(0, entries).boxed().collect(Collectors.toMap(i -> "key" + i, i -> "value"));
        store.group(group).putAll(values);
        long unused = store.group(group).expireAll(Expiry.now());
    }

    private void whileAnotherNodePurges(Runnable work) throws SQLException {
        try (Connection other = TestServer.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            for (int slot = 0; slot < 32; slot++) { // Citus locks rows of one slot at a time
                boolean unused = statement.execute("SELECT slot FROM \"" + nodes.schema()
                        + "\".lease WHERE role = 'purge' AND slot = " + slot + " FOR UPDATE");
            }
            work.run();
            other.rollback();
        }
    }

    @Test
    @Promise({13, 17})
    void aGroupThatIsClearedWhileAnotherNodePurgesTellsWhatHasExpired() throws SQLException {
        expire("group", 3);
        store.group("group").put("live", "value");
        store.onChange(told::add);
        whileAnotherNodePurges(() -> {
            assertThat(store.purgeExpired()).isZero();
            assertThat(store.group("group").clear()).isEqualTo(1);
        });
        assertThat(told).hasSize(4).filteredOn(EntryExpired.class::isInstance).hasSize(3);
        assertThat(told.get(3)).isInstanceOfSatisfying(GroupDeleted.class, deleted -> assertThat(deleted.entries())
                .isEqualTo(1));
    }

    @Test
    @Promise(16)
    void fewExpiredEntriesDoNotWaitForMany() {
        Slots slots = new Slots(32);
        String few = IntStream.range(0, 100)
                .mapToObj(i -> "few" + i)
                .filter(group -> slots.of(group) != slots.of("many"))
                .findFirst()
                .orElseThrow();
        expire("many", 3_000);
        store.onChange(told::add);
        expire(few, 1);
        told.clear();
        assertThat(store.purgeExpired()).isEqualTo(3_001);
        List<String> groups = told.stream().map(StoreEvent::group).toList();
        assertThat(groups).hasSize(3_001);
        assertThat(groups.indexOf(few)).isLessThan(1_500);
        assertThat(groups.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting())))
                .isEqualTo(Map.of("many", 3_000L, few, 1L));
    }

    @Test
    @Promise(13)
    void aPurgeEndsWhileAnotherNodeHasAllThatIsToBePurged() throws SQLException {
        expire("many", 1_000);
        whileAnotherNodePurges(() -> assertThat(store.purgeExpired()).isZero());
        assertThat(store.purgeExpired()).isEqualTo(1_000);
        assertThat(store.groups()).isEmpty();
    }
}
