package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.TransactionConflictException;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What the store reads and writes in a transaction of the application is part of it: committed and rolled back with it, seen by
 * others and reported only after the commit, and decided by nothing that others have changed meanwhile.
 */
@Promise({9, 10, 16, 18, 19})
@Tag("postgresql")
class JoinedTransactionTests {

    private static final Duration TTL = Duration.ofMinutes(10);

    private final Nodes nodes = new Nodes();
    private final MovableClock clock = new MovableClock();
    private final HikariDataSource pool = nodes.pool(4, TestServer.dataSource());
    private final PlainTransactions transactions = new PlainTransactions(pool);
    private final Store store = open(pool, transactions);
    private final Store other = nodes.open();
    private final TextGroup group = store.group("group");
    private final TextGroup seen = other.group("group");

    private Store open(HikariDataSource source, PlainTransactions joined) {
        return nodes.open(
                PostgreSql.on(source).limits(Nodes.LIMITS).notifications(false).joining(joined));
    }

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    private BlockingQueue<StoreEvent> events(Store of) {
        BlockingQueue<StoreEvent> events = new LinkedBlockingQueue<>();
        var unused = of.onChange(events::add);
        return events;
    }

    private static StoreEvent next(BlockingQueue<StoreEvent> events) throws InterruptedException {
        return requireNonNull(events.poll(Nodes.PATIENCE.toSeconds(), TimeUnit.SECONDS), "no event");
    }

    /** Makes a table of the application. */
    private String table() throws SQLException {
        String name = "\"" + nodes.schema() + "\".orders";
        execute("CREATE TABLE " + name + " (id integer PRIMARY KEY, n integer NOT NULL DEFAULT 0)");
        return name;
    }

    private void execute(String text) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    private long count(String table) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM " + table)) {
            result.next();
            return result.getLong(1);
        }
    }

    @Test
    void writesAreCommittedWithTheApplicationsRows() throws Exception {
        String orders = table();
        transactions.run(transaction -> {
            transaction.execute("INSERT INTO " + orders + " VALUES (1)");
            group.put("key", "value", TTL);
            assertThat(group.get("key")).contains("value");
            assertThat(group.count()).isEqualTo(1);
            assertThat(store.groups()).containsExactly("group");
            assertThat(group.keys()).containsExactly("key");
            assertThat(seen.get("key")).isEmpty();
        });
        assertThat(seen.get("key")).contains("value");
        assertThat(group.get("key")).contains("value");
        assertThat(count(orders)).isEqualTo(1);
    }

    @Test
    void writesAreRolledBackWithTheApplicationsRows() throws Exception {
        String orders = table();
        group.put("taken", "before");
        assertThatThrownBy(() -> transactions.run(transaction -> {
                    transaction.execute("INSERT INTO " + orders + " VALUES (1)");
                    group.put("key", "value", TTL);
                    assertThat(group.take("taken")).contains("before");
                    assertThat(group.take("taken")).isEmpty();
                    throw new IllegalArgumentException("no");
                }))
                .hasMessage("no");
        assertThat(group.get("key")).isEmpty();
        assertThat(seen.get("taken")).contains("before");
        assertThat(count(orders)).isZero();
    }

    @Test
    void eventsComeAfterTheCommitOnAllNodesAndNeverAfterARollback() throws Exception {
        BlockingQueue<StoreEvent> own = events(store);
        BlockingQueue<StoreEvent> others = events(other);
        assertThatThrownBy(() -> transactions.run(transaction -> {
                    group.put("rolled back", "value");
                    transaction.beforeCommit();
                    throw new IllegalArgumentException("no");
                }))
                .hasMessage("no");
        transactions.run(transaction -> {
            group.put("a", "1");
            group.put("b", "2");
            group.delete("a");
            transaction.beforeCommit();
            assertThat(own).isEmpty();
        });
        long after = group.put("c", "3");
        for (BlockingQueue<StoreEvent> events : List.of(own, others)) {
            EntryPut first = (EntryPut) next(events);
            assertThat(first.key()).isEqualTo("a");
            EntryPut second = (EntryPut) next(events);
            assertThat(second.key()).isEqualTo("b");
            assertThat(second.version()).isEqualTo(second.sequence());
            assertThat(group.entry("b").orElseThrow().version()).isEqualTo(second.version());
            StoreEvent third = next(events);
            assertThat(third.type()).isEqualTo("delete");
            EntryPut last = (EntryPut) next(events);
            assertThat(last.version()).isEqualTo(after);
            assertThat(List.of(first, second, third, last))
                    .extracting(StoreEvent::sequence)
                    .isSorted();
        }
    }

    @Test
    void theVersionOfAWriteIsProvisionalAndCountsInTheTransaction() throws Exception {
        AtomicInteger checked = new AtomicInteger();
        transactions.run(transaction -> {
            long version = group.put("key", "value");
            assertThat(version).isNegative();
            assertThat(group.replaceVersion("key", version, "second")).isPresent();
            assertThat(group.replaceVersion("key", version, "third")).isEmpty();
            checked.incrementAndGet();
        });
        assertThat(checked).hasValue(1);
        assertThat(group.entry("key").orElseThrow().version()).isPositive();
        assertThat(group.get("key")).contains("second");
    }

    @Test
    void whatWasReadAndChangedByOthersIsAConflict() throws Exception {
        String orders = table();
        group.put("key", "before");
        assertThatThrownBy(() -> transactions.run(transaction -> {
                    transaction.execute("INSERT INTO " + orders + " VALUES (1)");
                    group.put("copy", group.get("key").orElseThrow());
                    seen.put("key", "changed");
                }))
                .isInstanceOf(TransactionConflictException.class)
                .hasMessageContaining("A row has changed")
                .hasMessageContaining("Run the whole transaction again");
        assertThat(group.get("copy")).isEmpty();
        assertThat(count(orders)).isZero();
    }

    @Test
    void rangesThatWereReadAndChangedByOthersAreAConflict() {
        assertThatThrownBy(() -> transactions.run(transaction -> {
                    group.put("count", Long.toString(group.count()));
                    seen.put("another", "value");
                }))
                .isInstanceOf(TransactionConflictException.class);
        assertThat(group.keys()).containsExactly("another");
    }

    @Test
    void nothingIsLockedAndOthersAreNoConflictUntilTheCommit() throws Exception {
        transactions.run(transaction -> {
            group.put("key", "value");
            for (int i = 0; i < 20; i++) {
                seen.put("other" + i, "value"); // the same slot
            }
        });
        assertThat(group.count()).isEqualTo(21);
        assertThat(group.entry("key").orElseThrow().version())
                .isGreaterThan(group.entry("other19").orElseThrow().version());
    }

    @Test
    void whatWasOnlyReadIsNoConflictAndTakesNoLock() throws Exception {
        group.put("key", "before");
        transactions.run(transaction -> {
            assertThat(group.get("key")).contains("before");
            seen.put("key", "changed");
            assertThat(group.get("key")).contains("before");
            transaction.beforeCommit();
            seen.put("key", "again");
        });
        assertThat(group.get("key")).contains("again");
    }

    @Test
    void slotsAreLockedFromTheFlushToTheCommit() throws Exception {
        Assumptions.assumeFalse(TestServer.isDistributed(), "rows are locked there");
        transactions.run(transaction -> {
            group.put("key", "value");
            assertThat(TestServer.hasLock(nodes.schema(), true)).isFalse();
            transaction.beforeCommit();
            assertThat(TestServer.hasLock(nodes.schema(), true)).isTrue();
        });
        assertThat(TestServer.hasLock(nodes.schema(), true)).isFalse();
    }

    @Test
    void writesAfterTheFlushGoToTheServerAtOnce() throws Exception {
        transactions.run(transaction -> {
            group.put("key", "value");
            transaction.beforeCommit();
            group.put("late", "value");
            group.put("key", "changed");
            assertThat(group.get("late")).contains("value");
            store.transact(tx -> {
                group.put("beside", "value");
                return tx.group("group").put("later", "value");
            });
        });
        assertThat(seen.keys()).containsExactly("beside", "key", "late", "later");
        assertThat(seen.get("key")).contains("changed");
    }

    @Test
    void aTransactionOfTheStoreIsPartOfThatOfTheApplication() throws Exception {
        transactions.run(transaction -> {
            group.put("first", "value");
            assertThatThrownBy(() -> store.transact(tx -> {
                        tx.group("group").put("undone", "value");
                        throw new IllegalArgumentException("no");
                    }))
                    .hasMessage("no");
            String read = store.transact(tx -> {
                tx.group("group").put("second", "value");
                return tx.group("group").get("first").orElseThrow();
            });
            assertThat(read).isEqualTo("value");
            assertThat(seen.count()).isZero();
        });
        assertThat(seen.keys()).containsExactly("first", "second");
    }

    @Test
    void higherIsolationIsRefusedUnlessTheTransactionOnlyReads() throws Exception {
        group.put("key", "value");
        for (int isolation : new int[] {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE}) {
            assertThatThrownBy(() -> transactions.run(isolation, false, transaction -> group.put("key", "changed")))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("Begin the transaction with READ COMMITTED");
            transactions.run(
                    isolation, true, transaction -> assertThat(group.get("key")).contains("value"));
        }
        assertThat(seen.get("key")).contains("value");
    }

    @Test
    void aTransactionThatOnlyReadsRefusesWrites() throws Exception {
        group.put("key", "value");
        transactions.run(Connection.TRANSACTION_READ_COMMITTED, true, transaction -> {
            assertThat(group.get("key")).contains("value");
            assertThatIllegalStateException()
                    .isThrownBy(() -> group.put("key", "changed"))
                    .withMessageContaining("to read only");
            assertThat(group.get("key")).contains("value");
        });
        assertThat(seen.get("key")).contains("value");
    }

    @Test
    void asynchronousWritesAreRefused() throws Exception {
        transactions.run(transaction -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> group.async().put("key", "value"))
                    .withMessageContaining("asynchronous");
        });
        assertThat(group.get("key")).isEmpty();
    }

    @Test
    void aClosedStoreIsRefused() throws Exception {
        transactions.run(transaction -> {
            assertThat(group.get("key")).isEmpty();
            store.close();
            assertThatThrownBy(() -> group.get("key")).isInstanceOf(StoreClosedException.class);
            assertThatThrownBy(() -> group.put("key", "value")).isInstanceOf(StoreClosedException.class);
        });
    }

    @Test
    void aSuspendedTransactionIsUntouched() throws Exception {
        transactions.run(transaction -> {
            group.put("outer", "value");
            assertThatThrownBy(() -> transactions.run(inner -> {
                        assertThat(group.get("outer")).isEmpty();
                        group.put("rolled back", "value");
                        throw new IllegalArgumentException("no");
                    }))
                    .hasMessage("no");
            transactions.run(inner -> group.put("inner", "value"));
            assertThat(group.get("outer")).contains("value");
        });
        assertThat(seen.keys()).containsExactly("inner", "outer");
    }

    @Test
    void aPoolThatIsFullOfTransactionsDoesNotBlockThem() throws Exception {
        HikariDataSource small = nodes.pool(3, TestServer.dataSource());
        PlainTransactions full = new PlainTransactions(small);
        TextGroup joining = open(small, full).group("group");
        CountDownLatch all = new CountDownLatch(3);
        Thread[] callers = new Thread[3];
        AtomicInteger done = new AtomicInteger();
        for (int i = 0; i < callers.length; i++) {
            String key = "key" + i;
            callers[i] = new Thread(() -> {
                try {
                    full.run(transaction -> {
                        all.countDown();
                        assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
                        assertThat(joining.get(key)).isEmpty();
                        joining.put(key, "value");
                    });
                    done.incrementAndGet();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            callers[i].start();
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(done).hasValue(3);
        assertThat(seen.count()).isEqualTo(3);
    }

    @Test
    void aDeadlockWithRowsOfTheApplicationIsAConflict() throws Exception {
        String orders = table();
        execute("INSERT INTO " + orders + " VALUES (1)");
        PlainTransactions patient = new PlainTransactions(pool);
        TextGroup waiting = nodes.open(PostgreSql.on(pool)
                        .limits(new Limits(Duration.ofSeconds(20), Duration.ofSeconds(20), Duration.ofSeconds(5)))
                        .notifications(false)
                        .joining(patient))
                .group("group");
        CountDownLatch both = new CountDownLatch(2);
        AtomicInteger conflicts = new AtomicInteger();
        Thread slotFirst = new Thread(() -> counting(
                conflicts,
                () -> patient.run(transaction -> {
                    waiting.put("a", "value");
                    transaction.beforeCommit();
                    both.countDown();
                    both.await();
                    transaction.execute("UPDATE " + orders + " SET n = n + 1");
                })));
        Thread rowFirst = new Thread(() -> counting(
                conflicts,
                () -> patient.run(transaction -> {
                    transaction.execute("UPDATE " + orders + " SET n = n + 1");
                    waiting.put("b", "value");
                    both.countDown();
                    both.await();
                })));
        slotFirst.start();
        rowFirst.start();
        slotFirst.join();
        rowFirst.join();
        assertThat(conflicts).hasValue(1);
        assertThat(waiting.count()).isEqualTo(1);
    }

    /** Work that may throw. */
    private interface Throwing {
        void run() throws Exception;
    }

    /** Runs work, and returns false if it met a conflict, and counts that. */
    private static boolean counting(AtomicInteger conflicts, Throwing work) {
        try {
            work.run();
            return true;
        } catch (TransactionConflictException e) {
            conflicts.incrementAndGet();
        } catch (SQLException e) {
            if (!"40P01".equals(e.getSQLState())) {
                throw new IllegalStateException(e);
            }
            conflicts.incrementAndGet();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return false;
    }

    @Test
    void noUpdateIsLostBetweenTransactionsAndOtherWrites() throws Exception {
        String orders = table();
        int times = Effort.of(10, 25);
        AtomicInteger conflicts = new AtomicInteger();
        AtomicInteger unexpected = new AtomicInteger();
        Thread[] callers = new Thread[4];
        for (int i = 0; i < callers.length; i++) {
            int id = i;
            Throwing once = i % 2 == 0
                    ? () -> other.counters("counters").increment("counter")
                    : () -> transactions.run(transaction -> {
                        transaction.execute("INSERT INTO " + orders + " VALUES (" + id + ")"
                                + " ON CONFLICT (id) DO UPDATE SET n = orders.n + 1");
                        store.counters("counters").increment("counter");
                    });
            callers[i] = new Thread(() -> {
                for (int done = 0; done < times; ) {
                    try {
                        done += counting(conflicts, once) ? 1 : 0;
                    } catch (RuntimeException e) {
                        unexpected.incrementAndGet();
                        throw e;
                    }
                }
            });
        }
        for (Thread caller : callers) {
            caller.start();
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(unexpected).hasValue(0);
        assertThat(other.counters("counters").get("counter")).hasValue((long) callers.length * times);
    }

    @Test
    void theSettingsOfTheTransactionAreRestored() throws Exception {
        transactions.run(transaction -> {
            transaction.execute("SET LOCAL lock_timeout = '7s'");
            group.put("key", "value");
            transaction.beforeCommit();
            try (Statement statement = transaction.connection().createStatement();
                    ResultSet result = statement.executeQuery("SELECT current_setting('lock_timeout'),"
                            + " current_setting('enable_seqscan'), current_setting('plan_cache_mode')")) {
                result.next();
                assertThat(List.of(result.getString(1), result.getString(2), result.getString(3)))
                        .containsExactly("7s", "on", "auto");
            }
        });
    }

    @Test
    void aLimitOfTheApplicationForItsTransactionStays() throws Exception {
        assumeTrue(TestServer.limitsTransactions(), "the server has no limit for a transaction");
        for (String limit : List.of("0", "9s", "1d")) {
            transactions.run(transaction -> {
                transaction.execute("SET LOCAL transaction_timeout = '" + limit + "'");
                group.put("key", "value");
                transaction.beforeCommit();
                try (Statement statement = transaction.connection().createStatement();
                        ResultSet result = statement.executeQuery("SHOW transaction_timeout")) {
                    result.next();
                    assertThat(result.getString(1)).isEqualTo(limit);
                }
            });
        }
    }

    @Test
    void quotasAreExact() throws Exception {
        Scope scope = store.scope("tenant", new Quota(2, 0, 0));
        transactions.run(transaction -> {
            scope.group("group").put("a", "value");
            scope.group("group").put("b", "value");
            assertThatThrownBy(() -> scope.group("group").put("c", "value")).isInstanceOf(QuotaExceededException.class);
        });
        assertThat(scope.usage().keys()).isEqualTo(2);
        assertThat(other.scope("tenant").usage().keys()).isEqualTo(2);
        assertThatThrownBy(() ->
                        transactions.run(transaction -> scope.group("group").put("c", "value")))
                .isInstanceOf(QuotaExceededException.class);
    }

    @Test
    void othersMayWriteInTheScopeAsLongAsTheQuotaHasRoomForAll() throws Exception {
        Scope scope = store.scope("tenant", new Quota(3, 0, 0));
        TextGroup beside = other.scope("tenant", new Quota(3, 0, 0)).group("group");
        TextGroup within = scope.group("group");
        transactions.run(transaction -> {
            within.put("a", "value");
            beside.put("b", "value");
            beside.put("c", "value");
        });
        assertThat(within.keys()).containsExactly("a", "b", "c");
        assertThat(scope.usage().keys()).isEqualTo(3);
        beside.delete("c");
        assertThatThrownBy(() -> transactions.run(transaction -> {
                    within.put("d", "value");
                    beside.put("c", "value");
                }))
                .isInstanceOf(TransactionConflictException.class)
                .hasMessageContaining("quota");
        assertThat(within.keys()).containsExactly("a", "b", "c");
        // What does not make it grow is within a quota that others have used up.
        transactions.run(transaction -> {
            within.put("a", "other");
            within.delete("b");
            beside.delete("c");
            beside.put("e", "value");
        });
        assertThat(within.keys()).containsExactly("a", "e");
        assertThat(scope.usage().keys()).isEqualTo(2);
    }

    @Test
    void aGroupIsClearedWithTheTransaction() throws Exception {
        group.put("a", "1");
        group.put("b", "2");
        assertThatThrownBy(() -> transactions.run(transaction -> {
                    assertThat(store.deleteGroup("group")).isEqualTo(2);
                    throw new IllegalArgumentException("no");
                }))
                .hasMessage("no");
        assertThat(seen.count()).isEqualTo(2);
        transactions.run(transaction -> {
            assertThat(store.deleteGroup("group")).isEqualTo(2);
            assertThat(group.get("a")).isEmpty();
            group.put("c", "3");
        });
        assertThat(seen.keys()).containsExactly("c");
    }

    @Test
    void expiriesAreRecordedWithTheTransactionOnly() throws Exception {
        PlainTransactions moved = new PlainTransactions(pool);
        Store timed = nodes.open(
                PostgreSql.on(pool).limits(Nodes.LIMITS).notifications(false).joining(moved),
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
                                .limits(Nodes.LIMITS)
                                .notifications(false)
                                .joining(full),
                        builder -> builder.clock(clock))
                .group("timed");
        TextGroup beside = nodes.open(
                        PostgreSql.on(pool).limits(Nodes.LIMITS).notifications(false), builder -> builder.clock(clock))
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
        Assumptions.assumeFalse(TestServer.isDistributed(), "rows are locked there");
        PlainTransactions moved = new PlainTransactions(pool);
        TextGroup texts = nodes.open(
                        PostgreSql.on(pool)
                                .limits(new Limits(
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
            Thread reader = new Thread(() -> {
                try {
                    moved.run(transaction -> texts.put("read", texts.get("key").orElse("nothing")));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            reader.start();
            Awaitility.await().atMost(Nodes.PATIENCE).until(() -> TestServer.hasLock(nodes.schema(), false));
            renewing.commit();
            reader.join();
        }
        assertThat(texts.get("read")).contains("value");
    }

    @Test
    void theNearCacheForgetsWhatTheTransactionHasChanged() throws Exception {
        PlainTransactions joined = new PlainTransactions(pool);
        TextGroup cached = nodes.open(
                        PostgreSql.on(pool)
                                .limits(Nodes.LIMITS)
                                .notifications(false)
                                .joining(joined),
                        builder -> builder.cacheSize(1_000_000))
                .group("cached");
        cached.put("key", "before");
        Awaitility.await().until(() -> cached.get("key").isPresent());
        joined.run(transaction -> {
            cached.put("key", "after");
            assertThat(cached.get("key")).contains("after");
        });
        assertThat(cached.get("key")).contains("after");
    }
}
