package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What expires before or during a transaction of the application. */
@Promise({9, 10, 16, 18, 19})
@Tag("postgresql")
class JoinedExpiryTests extends JoinedStore {

    private final MovableClock clock = new MovableClock();

    @Test
    void expiriesAreRecordedWithTheTransactionOnly() throws Exception {
        PlainTransactions moved = new PlainTransactions(pool);
        Store timed = nodes.open(
                PostgreSql.on(pool).timeouts(Nodes.LIMITS).notifications(false).joining(moved),
                builder -> builder.clock(clock));
        TextGroup texts = timed.group("timed");
        BlockingQueue<String> handled = new LinkedBlockingQueue<>();
        var unused = timed.onExpired("subscriber", "timed", String.class, entry -> handled.add(entry.key()));
        BlockingQueue<StoreEvent> events = events(timed);
        texts.put("key", "value", Duration.ofSeconds(1));
        assertThat(next(events).type()).isEqualTo("put");
        clock.advance(Duration.ofSeconds(2));
        assertThatThrownBy(() -> moved.run(transaction -> {
                    texts.put("key", "second");
                    transaction.beforeCommit();
                    throw new IllegalArgumentException("no");
                }))
                .hasMessage("no");
        assertThat(handled).isEmpty();
        moved.run(transaction -> texts.put("key", "third"));
        assertThat(next(events)).isInstanceOf(EntryExpired.class);
        assertThat(next(events)).isInstanceOf(EntryPut.class);
        assertThat(handled.poll(20, TimeUnit.SECONDS)).isEqualTo("key");
        assertThat(handled).isEmpty();
    }

    @Test
    void whatATransactionHasSeenExpiredStaysSoWithoutASecondConnection() throws Exception {
        HikariDataSource small = nodes.pool(1, TestServer.dataSource());
        PlainTransactions full = new PlainTransactions(small);
        TextGroup joining = nodes.open(
                        PostgreSql.on(small)
                                .timeouts(Nodes.LIMITS)
                                .notifications(false)
                                .joining(full),
                        builder -> builder.clock(clock))
                .group("timed");
        TextGroup beside = nodes.open(
                        PostgreSql.on(pool).timeouts(Nodes.LIMITS).notifications(false),
                        builder -> builder.clock(clock))
                .group("timed");
        beside.put("key", "value", Duration.ofSeconds(1));
        clock.advance(Duration.ofSeconds(2));
        full.run(transaction -> {
            assertThat(joining.get("key")).isEmpty();
            assertThat(joining.count()).isZero();
            assertThat(TestServer.hasLock(nodes.schema(), true)).isFalse();
        });
        // The time is logged then: a clock that steps back does not bring the entry back.
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> {
            clock.advance(Duration.ofSeconds(-2));
            try {
                return beside.get("key").isEmpty();
            } finally {
                clock.advance(Duration.ofSeconds(2));
            }
        });
    }

    @Test
    void aRenewalThatIsUnderWayIsSeenInsteadOfTheExpiry() throws Exception {
        Assumptions.assumeFalse(TestServer.isDistributed(), "only a part of it is seen there");
        PlainTransactions moved = new PlainTransactions(pool);
        assertThat(readDuringRenewal(pool, moved, false, false, () -> TestServer.hasLock(nodes.schema(), false)))
                .isEqualTo("value");
    }

    /** It cannot lock what it waits for. */
    @Test
    void aReadOnlyTransactionSeesARenewalThatIsUnderWayToo() throws Exception {
        Assumptions.assumeFalse(TestServer.isDistributed(), "it does not wait there");
        assertThat(readOnlyDuringRenewal(false)).isEqualTo("value");
    }

    /** No process has it any more, but it holds its locks. */
    @Test
    void aRenewalThatIsPreparedForACommitInTwoPhasesIsSeenToo() throws Exception {
        Assumptions.assumeFalse(TestServer.isGiven(), "the server may not allow it");
        PlainTransactions moved = new PlainTransactions(pool);
        assertThat(readDuringRenewal(pool, moved, false, true, () -> TestServer.hasLock(nodes.schema(), false)))
                .isEqualTo("value");
        assertThat(readOnlyDuringRenewal(true)).isEqualTo("value");
    }

    private String readOnlyDuringRenewal(boolean prepared) throws Exception {
        AtomicInteger finalTimes = new AtomicInteger();
        StatementTap tap = new StatementTap(
                pool,
                statement -> {
                    if (statement.toString().contains("s.xmax")) {
                        int unused = finalTimes.incrementAndGet();
                    }
                },
                (text, failure) -> {});
        PlainTransactions moved = new PlainTransactions(tap.source());
        return readDuringRenewal(tap.source(), moved, true, prepared, () -> finalTimes.get() > 2);
    }

    private String readDuringRenewal(
            DataSource source, PlainTransactions moved, boolean readOnly, boolean prepared, Callable<Boolean> isWaiting)
            throws Exception {
        TextGroup texts = nodes.open(
                        PostgreSql.on(source)
                                .timeouts(new Timeouts(
                                        Duration.ofSeconds(20), Duration.ofSeconds(20), Duration.ofSeconds(5)))
                                .notifications(false)
                                .joining(moved),
                        builder -> builder.clock(clock))
                .group("timed");
        texts.put("key", "value", Duration.ofSeconds(1));
        clock.advance(Duration.ofSeconds(2));
        try (Connection renewing = TestServer.dataSource().getConnection();
                Statement statement = renewing.createStatement()) {
            renewing.setAutoCommit(false);
            nodes.lockSlots(statement);
            statement.execute("UPDATE \"" + nodes.schema() + "\".entry SET expires_at = expires_at + 60000");
            if (prepared) {
                statement.execute("PREPARE TRANSACTION 'renewal'");
                renewing.setAutoCommit(true);
            }
            CompletableFuture<String> read = CompletableFuture.supplyAsync(() -> {
                List<String> found = new ArrayList<>();
                try {
                    moved.run(Connection.TRANSACTION_READ_COMMITTED, readOnly, transaction -> {
                        if (readOnly) {
                            transaction.execute("SET TRANSACTION READ ONLY");
                        }
                        found.add(texts.get("key").orElse("nothing"));
                    });
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                return found.get(0);
            });
            Awaitility.await().atMost(Nodes.PATIENCE).until(isWaiting);
            assertThat(read.isDone()).isFalse();
            if (prepared) {
                statement.execute("COMMIT PREPARED 'renewal'");
            } else {
                renewing.commit();
            }
            return read.get(Nodes.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }
}
