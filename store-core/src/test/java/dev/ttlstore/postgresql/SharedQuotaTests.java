package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Expiry;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.QuotaExceededException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Transactions in scopes with a quota, beside the writes of another node. */
@Tag("postgresql")
class SharedQuotaTests {

    private final Nodes nodes = new Nodes();
    private final Store store = nodes.open();
    private final Store other = nodes.open();
    private final Scope scope = store.scope("tenant", new Quota(3, 0, 0));
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    /** Puts an entry in a transaction whose first run another node writes beside. */
    private void putBeside(Runnable otherWrite) {
        scope.transactWithoutResult(tx -> {
            if (runs.incrementAndGet() == 1) {
                otherWrite.run();
            }
            long unused = tx.group("group").put("new", "value");
        });
    }

    private long countedNamespaces() throws SQLException {
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery("SELECT count(*) FROM " + nodes.schema() + ".usage WHERE grp = ''")) {
            result.next();
            return result.getLong(1);
        }
    }

    @Test
    @Promise(19)
    void aTransactionCountsItsScopeOnceAndReadsTheCountFromThenOn() throws Exception {
        other.scope("tenant").group("group").put("before", "value");
        assertThat(countedNamespaces()).isZero();
        scope.transactWithoutResult(tx -> tx.group("group").put("first", "value"));
        assertThat(countedNamespaces()).isEqualTo(1);
        scope.transactWithoutResult(tx -> tx.group("group").put("second", "value"));
        assertThatThrownBy(() ->
                        scope.transactWithoutResult(tx -> tx.group("group").put("third", "value")))
                .isInstanceOf(QuotaExceededException.class);
        assertThat(scope.group("group").keys()).containsExactly("before", "first", "second");
    }

    @Test
    @Promise({8, 19})
    void aTransactionDoesNotMindWritesThatLeaveTheUsageOfItsScopeUnchanged() {
        scope.group("group").put("key", "value");
        Slots slots = new Slots(32);
        String neighbour = IntStream.range(0, 1_000)
                .mapToObj(i -> "group" + i)
                .filter(group -> slots.of(group) == slots.of("tenant:"))
                .findFirst()
                .orElseThrow();
        putBeside(() -> {
            other.group(neighbour).put("key", "value");
            other.scope("tenant").group("group").put("key", "other"); // as long as before
        });
        assertThat(runs).hasValue(1);
        assertThat(scope.group("group").keys()).containsExactly("key", "new");
    }

    @Test
    @Promise({10, 19})
    void aTransactionBesideAnotherWriterDoesNotExceedTheQuota() {
        List<String> keys = List.of("first", "second");
        keys.forEach(key -> scope.group("group").put(key, "value"));
        assertThatThrownBy(() ->
                        putBeside(() -> other.scope("tenant").group("elsewhere").put("third", "value")))
                .isInstanceOf(QuotaExceededException.class);
        assertThat(scope.group("group").keys()).containsExactlyElementsOf(keys);
    }

    @Test
    @Promise({10, 19})
    void aTransactionThatHasRemovedTheLastOfAGroupCountsGroupsOfNow() {
        Scope few = store.scope("few", new Quota(0, 1, 0));
        few.group("one").put("key", "value");
        assertThatThrownBy(() -> few.transactWithoutResult(tx -> {
                    if (runs.incrementAndGet() == 1) {
                        other.scope("few").group("one").put("other", "value");
                    }
                    boolean unused = tx.group("one").delete("key");
                    long unusedToo = tx.group("two").put("key", "value");
                }))
                .isInstanceOf(QuotaExceededException.class);
        assertThat(few.groups()).containsExactly("one");
    }

    @Test
    @Promise({10, 19})
    void aGroupThatHasOnlyExpiredEntriesCountsAsNewAboveTheQuota() {
        Scope many = store.scope("lowered", new Quota(0, 5, 0));
        many.group("one").put("key", "value");
        many.group("two").put("key", "value", Duration.ofMillis(1));
        await().until(() -> many.group("two").get("key").isEmpty());
        Scope few = other.scope("lowered", new Quota(0, 1, 0));
        few.group("one").put("key", "other");
        assertThatThrownBy(() -> few.group("two").put("key", "value")).isInstanceOf(QuotaExceededException.class);
        assertThatThrownBy(() -> few.group("two").putAll(Map.of("key", "value", "more", "value"), Expiry.never()))
                .isInstanceOf(QuotaExceededException.class);
    }
}
