package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

import dev.ttlstore.Expiry;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Others that hold locks, statements that are cancelled, and nodes that stop in the middle of a commit. */
@Tag("postgresql")
class StandstillTests {

    private static final Timeouts PATIENT =
            new Timeouts(Duration.ofSeconds(20), Duration.ofSeconds(10), Duration.ofSeconds(5));

    private final Nodes nodes = new Nodes();

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    private interface Work {
        void run() throws Exception;
    }

    /** Runs something while another session holds all slots. */
    private void whileSlotsAreLocked(Work work) throws Exception {
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            nodes.lockSlots(statement);
            work.run();
            connection.rollback();
        }
    }

    private void execute(String text) {
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(text);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Tag("slow")
    @Test
    @Promise(22)
    void aStoreWhoseServerIsSilentClosesInTime() throws Exception {
        Proxy proxy = nodes.proxy();
        DataSource patient = nodes.pool(4, Nodes.through(proxy), Duration.ofSeconds(15));
        for (DataSource source : List.of(patient, Nodes.through(proxy))) {
            Store store = nodes.open(
                    PostgreSql.on(source).timeouts(Nodes.LIMITS).notifications(false),
                    settings -> settings.closeTimeout(Duration.ofMillis(500)));
            store.group("group").put("key", "value");
            proxy.hold();
            long start = System.nanoTime();
            store.close();
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(Duration.ofSeconds(2)); // it may take half of one
            proxy.release();
        }
    }

    @Test
    @Promise({4, 23})
    void aWriteGivesUpASlotThatSomebodyHoldsAndReadsDoNotWait() throws Exception {
        TextGroup group = nodes.open().group("group");
        group.put("key", "value");
        whileSlotsAreLocked(() -> {
            CompletableFuture<Throwable> put =
                    CompletableFuture.supplyAsync(() -> catchThrowable(() -> group.put("key", "changed")));
            while (!put.isDone()) {
                long start = System.nanoTime();
                assertThat(group.get("key")).contains("value");
                assertThat(group.count()).isEqualTo(1);
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Nodes.LIMITS.lock());
            }
            assertThat(put.get())
                    .isInstanceOf(StoreException.class)
                    .isNotInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining("holds the rows of this write for too long; nothing was written")
                    .hasMessageContaining("pg_stat_activity");
        });
        assertThat(group.get("key")).contains("value");
        group.put("key", "changed");
        assertThat(group.get("key")).contains("changed");
    }

    @Test
    @Promise(23)
    void aTransactionGivesUpASlotThatSomebodyHolds() throws Exception {
        Store store = nodes.open();
        whileSlotsAreLocked(() -> assertThatThrownBy(() ->
                        store.transactWithoutResult(tx -> tx.group("group").put("key", "value")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("pg_stat_activity"));
        assertThat(store.group("group").get("key")).isEmpty();
        store.transactWithoutResult(tx -> tx.group("group").put("key", "value"));
        assertThat(store.group("group").get("key")).contains("value");
    }

    @Test
    @Promise(23)
    void aStatementThatTheServerCancelsFailsClearly() throws Exception {
        PGSimpleDataSource source = TestServer.dataSource();
        source.setOptions("-c statement_timeout=200ms");
        TextGroup group = nodes.open(nodes.hastyPool(4, source)).group("group");
        group.put("key", "value");
        whileSlotsAreLocked(() -> {
            Throwable cancelled = catchThrowable(() -> group.put("key", "changed"));
            if (TestServer.isDistributed()) { // whoever cancels it cannot know what the server of the slot has done
                assertThat(cancelled)
                        .isInstanceOf(OutcomeUnknownException.class)
                        .cause()
                        .hasMessageContaining("statement timeout")
                        .hasMessageNotContaining("nothing was written");
            } else {
                assertThat(cancelled)
                        .isInstanceOf(StoreException.class)
                        .isNotInstanceOf(OutcomeUnknownException.class)
                        .hasMessageContaining("PostgreSQL has cancelled a statement of the store; nothing was written")
                        .hasMessageContaining("statement_timeout");
            }
        });
        assertThat(group.get("key")).contains("value");
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE " + nodes.schema() + ".entry IN ACCESS EXCLUSIVE MODE");
            assertThatThrownBy(() -> group.get("key"))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("statement_timeout");
            connection.rollback();
        }
        assertThat(group.get("key")).contains("value");
        group.put("key", "changed");
        assertThat(group.get("key")).contains("changed");
    }

    @Test
    @Promise({8, 23})
    void aNodeThatStopsInTheMiddleOfACommitBlocksTheOthersForAShortTimeOnly() throws Exception {
        Proxy proxy = nodes.proxy();
        // So long that a busy machine sees the lock.
        Timeouts timeouts = new Timeouts(Duration.ofMillis(500), Duration.ofMillis(600), Duration.ofSeconds(5));
        // The pool waits if it has to make a connection while answers are late.
        DataSource late = nodes.pool(3, Nodes.through(proxy), Duration.ofSeconds(20));
        TextGroup stopped = nodes.open(late, timeouts).group("group");
        TextGroup other =
                nodes.open(nodes.pool(3, TestServer.dataSource()), PATIENT).group("group");
        stopped.put("key", "value");
        String value = "late".repeat(150_000);
        Map<String, String> values =
                Map.of("key", value, "other", value); // too large for the server to decide in one round trip
        CountDownLatch slow = new CountDownLatch(1);
        CompletableFuture<Throwable> failure = CompletableFuture.supplyAsync(() -> {
            stopped.putAll(values, Expiry.never()); // so the pool does not check whether the connection is alive
            // Longer than the server waits: the node gets the answer of its first round trip too late.
            proxy.delay(Proxy.Direction.TO_CLIENT, timeouts.pause().multipliedBy(2));
            slow.countDown();
            return catchThrowable(() -> stopped.putAll(values, Expiry.never()));
        });
        Threads.await(slow); // or the slot is locked by the first of both
        Awaitility.await().pollInterval(Duration.ofMillis(5)).until(this::aSlotIsLocked);
        long start = System.nanoTime();
        other.put("key", "changed");
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isLessThan(timeouts.pause().multipliedBy(3));
        proxy.delay(Proxy.Direction.TO_CLIENT, Duration.ZERO);
        Throwable found = failure.get(60, TimeUnit.SECONDS);
        assertThat(found).isInstanceOf(StoreException.class).isNotInstanceOf(OutcomeUnknownException.class);
        assertThat(other.get("key")).contains("changed");
        assertThat(stopped.get("key")).contains("changed");
        stopped.put("key", "next");
        assertThat(other.get("key")).contains("next");
    }

    /** What a node writes with a large value. */
    private interface LargeWrite {
        void run(TextGroup group, String value);
    }

    private static Stream<Arguments> largeWrites() {
        Named<LargeWrite> put = Named.of("a put", (group, value) -> {
            long unused = group.put("key", value);
        });
        Named<LargeWrite> putAll = Named.of(
                "puts of several rows",
                (group, value) -> group.putAll(Map.of("key", value, "other", value), Expiry.never()));
        Named<LargeWrite> update = Named.of("an update", (group, value) -> group.update("key", before -> value));
        return Stream.of(
                Arguments.of(put, true),
                Arguments.of(putAll, true),
                Arguments.of(putAll, false),
                Arguments.of(update, true));
    }

    /** Of rows that are too large for the server to decide in one round trip. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Promise({8, 23})
    void aNodeThatStopsInTheMiddleOfATextBlocksTheOthersForAShortTimeOnly(boolean prepared) throws Exception {
        LargeWrite write = (group, value) -> group.putAll(Map.of("key", value, "other", value), Expiry.never());
        assumeTrue(TestServer.limitsTransactions(), "the server waits for the rest of a text without a limit");
        Proxy proxy = nodes.proxy();
        Timeouts timeouts = new Timeouts(Duration.ofSeconds(10), Duration.ofMillis(100), Duration.ofSeconds(5));
        TextGroup stopped =
                nodes.open(nodes.hastyPool(3, Nodes.through(proxy)), timeouts).group("group");
        TextGroup other =
                nodes.open(nodes.pool(3, TestServer.dataSource()), PATIENT).group("group");
        stopped.put("key", "value");
        if (prepared) {
            write.run(stopped, "small"); // or other messages come before the one that is cut in two
        }
        Trap trap = proxy.stopWithin("large".repeat(100));
        CompletableFuture<Throwable> failure =
                CompletableFuture.supplyAsync(() -> catchThrowable(() -> write.run(stopped, "large".repeat(200_000))));
        trap.awaitSprung(Nodes.PATIENCE);
        Awaitility.await().pollInterval(Duration.ofMillis(5)).until(this::aSlotIsLocked);
        long start = System.nanoTime();
        other.put("key", "changed");
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isLessThan(timeouts.workingOn(2, 2_000_000).text().multipliedBy(2));
        assertThat(failure.get(60, TimeUnit.SECONDS))
                .isInstanceOf(StoreException.class)
                .isNotInstanceOf(OutcomeUnknownException.class);
        assertThat(other.get("key")).contains("changed");
    }

    /** The server locks nothing before it has all of a call. */
    @Test
    @Promise({8, 23})
    void aNodeThatStopsInTheMiddleOfACallBlocksNobody() throws Exception {
        Proxy proxy = nodes.proxy();
        TextGroup stopped = nodes.open(nodes.hastyPool(3, Nodes.through(proxy))).group("group");
        TextGroup other =
                nodes.open(nodes.pool(3, TestServer.dataSource()), PATIENT).group("group");
        stopped.put("key", "small");
        Trap trap = proxy.stopWithin("large".repeat(100));
        CompletableFuture<Throwable> failure =
                CompletableFuture.supplyAsync(() -> catchThrowable(() -> stopped.put("key", "large".repeat(20_000))));
        trap.awaitSprung(Nodes.PATIENCE);
        other.put("key", "changed");
        assertThat(failure).isNotDone();
        assertThat(other.get("key")).contains("changed");
        proxy.cut();
        assertThat(failure.get(60, TimeUnit.SECONDS)).isNull(); // made again on another connection
        assertThat(other.get("key")).contains("large".repeat(20_000));
    }

    /** A slow network takes longer for it, and the server would end the transaction each time. */
    @ParameterizedTest
    @MethodSource("largeWrites")
    @Promise({8, 23})
    void aTextWithALargeValueMayTakeLonger(LargeWrite write, boolean prepared) {
        Assumptions.assumeFalse(TestServer.isDistributed(), "settings are no parameters there");
        Queue<String> texts = new ConcurrentLinkedQueue<>();
        Timeouts timeouts = new Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofSeconds(5));
        DataSource source = TappedDataSource.showingTexts(nodes.pool(3, TestServer.dataSource()), texts::add);
        TextGroup group = nodes.open(source, timeouts).group("group");
        group.put("key", "value");
        write.run(group, "small");
        assertThat(longest(texts))
                .isBetween(timeouts.text(), timeouts.workingOn(2, 100).text());
        write.run(group, "large".repeat(100_000));
        assertThat(longest(texts))
                .isBetween(
                        timeouts.workingOn(0, 500_000).text(),
                        timeouts.workingOn(2, 1_000_000).text());
    }

    /** Returns the longest of the times among some texts, which is that for a whole text. */
    private static Duration longest(Collection<String> texts) {
        return texts.stream()
                .filter(text -> text.matches("\\d{1,9}ms"))
                .map(text -> Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2))))
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** A pool hands out nothing to a thread that is interrupted, and the commit may be that of others. */
    @Test
    @Promise(23)
    void aThreadThatIsInterruptedCommitsAllTheSame() {
        DataSource pool = TappedDataSource.refusingIfInterrupted(nodes.pool(3, TestServer.dataSource()));
        TextGroup group = nodes.open(pool, PATIENT).group("group");
        Thread.currentThread().interrupt();
        Throwable failure = catchThrowable(() -> {
            group.put("key", "value");
            group.putAll(Map.of("one", "value", "other", "value"));
        });
        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure).isNull();
        assertThat(group.keys()).containsExactly("key", "one", "other");
    }

    private boolean aSlotIsLocked() throws SQLException {
        return TestServer.hasLock(nodes.schema(), true);
    }

    @Test
    @Promise({11, 23})
    void connectionsThatTheServerEndsAreReplaced() {
        TextGroup group = nodes.open().group("group");
        group.put("key", "value");
        for (int i = 0; i < 2; i++) {
            endAllOthers();
            assertThat(group.get("key")).contains(i == 0 ? "value" : "changed" + (i - 1));
            endAllOthers();
            group.put("key", "changed" + i);
        }
        assertThat(group.get("key")).contains("changed1");
    }

    /** Ends the connections of this test's store, which alone use its schema. */
    private void endAllOthers() {
        execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%"
                + nodes.schema() + "%'");
    }
}
