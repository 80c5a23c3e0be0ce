package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a rollback of the application undoes: its whole transaction, or what came after a savepoint. */
@Promise({9, 10, 16, 19})
@Tag("postgresql")
class JoinedRollbackTests {

    /** They let others wait for as long as a test wants. */
    private static final Timeouts PATIENT =
            new Timeouts(Duration.ofMinutes(5), Duration.ofMinutes(5), Duration.ofSeconds(5));

    private final Nodes nodes = new Nodes();
    private final HikariDataSource pool = nodes.pool(6, TestServer.dataSource());
    private final PlainTransactions transactions = new PlainTransactions(pool);
    private final Store store = open(transactions);
    private final TextGroup group = store.group("group");
    private final TextGroup seen = nodes.open().group("group");
    private final BlockingQueue<StoreEvent> events = new LinkedBlockingQueue<>();

    private Store open(PlainTransactions joined) {
        return nodes.open(
                PostgreSql.on(pool).timeouts(PATIENT).notifications(false).joining(joined));
    }

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    private StoreEvent next() throws InterruptedException {
        return requireNonNull(events.poll(Nodes.PATIENCE.toSeconds(), TimeUnit.SECONDS), "no event");
    }

    private long count(String rows) throws SQLException {
        return Statements.number(pool, "SELECT count(*) FROM \"" + nodes.schema() + "\"." + rows);
    }

    private void undoSomeAndGoOn(PlainTransactions.Plain transaction) throws SQLException {
        Savepoint savepoint = transaction.savepoint();
        group.put("undone", "value");
        group.put("kept", "changed");
        transaction.rollback(savepoint);
        assertThat(group.get("undone")).isEmpty();
        assertThat(group.get("kept")).contains("value");
        group.put("after", "value");
    }

    @Test
    void savepointsUndoTheStoresWritesToo() throws Exception {
        transactions.run(transaction -> {
            group.put("kept", "value");
            undoSomeAndGoOn(transaction);
        });
        assertThat(seen.keys()).containsExactly("after", "kept");
        assertThat(seen.get("kept")).contains("value");
    }

    @Test
    void aSavepointAfterTheFlushUndoesWhatTheStoreHasSentSince() throws Exception {
        var unused = store.onChange(events::add);
        transactions.run(transaction -> {
            group.put("kept", "value");
            transaction.beforeCommit();
            undoSomeAndGoOn(transaction);
        });
        assertThat(seen.keys()).containsExactly("after", "kept");
        assertThat(store.activity().entries().created()).isEqualTo(2);
        assertThat(store.activity().entries().replaced()).isZero();
        assertThat(((EntryPut) next()).key()).isEqualTo("kept");
        assertThat(((EntryPut) next()).key()).isEqualTo("after");
    }

    @Test
    void aSavepointThatWouldUndoOnlyAPartOfWhatWasSentEndsTheTransaction() {
        assertThatThrownBy(() -> transactions.run(transaction -> {
                    group.put("before", "value");
                    Savepoint savepoint = transaction.savepoint();
                    group.put("after", "value");
                    transaction.beforeCommit();
                    transaction.rollback(savepoint);
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("roll back the whole transaction");
        assertThat(seen.count()).isZero();
    }

    @Test
    void aVersionThatWasSeenIsNotUsedAgainAfterARollback() throws Exception {
        Slots slots = new Slots((int) count("slot"));
        AtomicLong shown = new AtomicLong();
        assertThatThrownBy(() -> transactions.run(transaction -> {
                    group.put("key", "value");
                    transaction.beforeCommit();
                    shown.set(group.entry("key").orElseThrow().version());
                    assertThat(shown.get()).isPositive();
                    throw new IllegalArgumentException("no");
                }))
                .hasMessage("no");
        String used = "log WHERE slot = " + slots.slot(shown.get()) + " AND seq >= " + slots.seq(shown.get());
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> count(used) > 0);
        assertThat(seen.put("key", "other")).isGreaterThan(shown.get());
    }

    @Test
    void aSlotThatIsHeldDoesNotDelayTheReportsOfOthers() throws Exception {
        Assumptions.assumeFalse(TestServer.isDistributed(), "rows are locked there");
        Slots slots = new Slots((int) count("slot"));
        String free = IntStream.range(0, 100)
                .mapToObj(i -> "free" + i)
                .filter(name -> slots.of(name) != slots.of("group"))
                .findFirst()
                .orElseThrow();
        PlainTransactions next = new PlainTransactions(pool);
        Store waiting = open(next);
        CountDownLatch reported = new CountDownLatch(1);
        CompletableFuture<Void> holder = new CompletableFuture<>();
        var unused = store.onChange(events::add);
        assertThatThrownBy(() -> transactions.run(transaction -> {
                    group.put("key", "value");
                    transaction.beforeCommit();
                    holder.completeAsync(() -> hold(next, waiting, reported));
                    Awaitility.await().atMost(Nodes.PATIENCE).until(() -> TestServer.hasLock(nodes.schema(), false));
                    throw new IllegalArgumentException("no");
                }))
                .hasMessage("no");
        // The slot is the other's now, and this node still has to log there which numbers it has used.
        waiting.group(free).put("key", "value");
        assertThat(next()).returns(free, StoreEvent::group);
        reported.countDown();
        holder.get(Nodes.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(next()).returns("group", StoreEvent::group);
    }

    /** Writes, and holds the slot until something was reported. */
    private static @Nullable Void hold(PlainTransactions transactions, Store store, CountDownLatch reported) {
        try {
            transactions.run(transaction -> {
                store.group("group").put("held", "value");
                transaction.beforeCommit();
                assertThat(reported.await(Nodes.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            });
            return null;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
