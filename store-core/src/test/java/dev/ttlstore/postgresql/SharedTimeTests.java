package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Entry;
import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Time across nodes: what one has seen expire, no other sees again. */
@Tag("postgresql")
class SharedTimeTests {

    private static final Duration TTL = Duration.ofMinutes(10);

    private final MovableClock clock = new MovableClock();
    private final String schema = TestServer.freshSchema();
    private final Store first = builder().open();
    private final Store second = builder().open();
    private final TextGroup ofFirst = first.group("group");
    private final TextGroup ofSecond = second.group("group");

    private StoreBuilder builder() {
        return builder(clock);
    }

    private StoreBuilder builder(MovableClock itsClock) {
        return Store.builder()
                .engine(PostgreSql.on(TestServer.pool()).schema(schema))
                .clock(itsClock)
                .purgeInterval(Duration.ZERO)
                .expiryOnTime(false);
    }

    @BeforeEach
    void put() {
        ofFirst.put("key", "value", TTL);
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
        TestServer.drop(schema);
    }

    /** A node's estimate of the server's time may be behind that of another. */
    @Test
    void whatANodePutsWhoseTimeIsBehindIsNotUpdatedBeforeItWasCreatedOrUpdated() {
        MovableClock behind = new MovableClock();
        behind.advance(Duration.ofMillis(-100));
        try (Store late = builder(behind).open()) {
            TextGroup group = late.group("group");
            group.put("key", "overwritten");
            assertInOrder("key");
            ofFirst.put("read", "value");
            assertThat(group.get("read")).isPresent();
            assertThat(group.replace("read", "value", "replaced")).isPresent();
            assertInOrder("read");
            ofFirst.put("unread", "value");
            assertThat(group.putIfPresent("unread", "put")).isPresent();
            assertInOrder("unread");
            assertThat(first.counters("group").increment("counter")).isEqualTo(1);
            assertThat(late.counters("group").increment("counter")).isEqualTo(2);
            assertInOrder("counter");
            assertThat(first.verify().findings()).isEmpty();
        }
    }

    private void assertInOrder(String key) {
        Entry<String> entry = ofFirst.entry(key).orElseThrow();
        assertThat(entry.createdAt()).isEqualTo(clock.instant());
        assertThat(entry.updatedAt()).isEqualTo(clock.instant());
    }

    @Test
    @Promise(5)
    void whatOneHasSeenExpireTheOtherDoesNotSeeAfterTheClockHasSteppedBack() {
        clock.advance(TTL);
        assertThat(ofFirst.get("key")).isEmpty();
        clock.advance(Duration.ofMinutes(-1));
        assertThat(ofSecond.get("key")).isEmpty();
        assertThat(ofSecond.count()).isZero();
        assertThat(second.groups()).isEmpty();
        assertThat(ofSecond.keys()).isEmpty();
        Optional<String> read = second.transact(tx -> tx.group("group").get("key"));
        assertThat(read).isEmpty();
    }

    @Test
    @Promise(5)
    void whatATransactionHasSeenExpireTheOtherDoesNotSeeAfterTheClockHasSteppedBack() {
        clock.advance(TTL);
        Optional<String> read = first.transact(tx -> tx.group("group").get("key"));
        assertThat(read).isEmpty();
        clock.advance(Duration.ofMinutes(-1));
        assertThat(ofSecond.get("key")).isEmpty();
    }

    @Test
    @Promise({5, 8})
    void whatATransactionThatWritesElsewhereHasNotCountedTheOtherDoesNotSeeAfterTheClockHasSteppedBack() {
        AtomicInteger runs = new AtomicInteger();
        clock.advance(TTL);
        long counted = first.transact(tx -> {
            runs.incrementAndGet();
            tx.group("elsewhere").put("key", "value");
            return tx.group("group").count();
        });
        assertThat(counted).isZero();
        assertThat(runs).hasValue(1);
        clock.advance(Duration.ofMinutes(-1));
        assertThat(ofSecond.get("key")).isEmpty();
        assertThat(second.group("elsewhere").get("key")).contains("value");
    }

    @Test
    @Promise(5)
    void whatWasSeenExpireStaysSoAfterAFailoverThatHasLostTheSight() throws SQLException {
        execute("CREATE TABLE @log_copy AS TABLE @log");
        clock.advance(TTL);
        assertThat(ofFirst.get("key")).isEmpty();
        TestServer.commitUnderLock(schema, "TRUNCATE @log", "INSERT INTO @log TABLE @log_copy");
        clock.advance(Duration.ofSeconds(-2)); // the clock of the new primary
        assertThat(ofFirst.get("key")).isEmpty();
        assertThat(ofSecond.expire("key", TTL)).isFalse();
        assertThat(ofFirst.get("key")).isEmpty();
    }

    private void execute(String text) throws SQLException {
        Statements.runIn(schema, text);
    }

    @Test
    @Promise(5)
    void whatOneHasNotCountedTheOtherDoesNotRenewAfterTheClockHasSteppedBack() {
        clock.advance(TTL);
        assertThat(ofFirst.count()).isZero();
        clock.advance(Duration.ofMinutes(-1));
        assertThat(ofSecond.expire("key", TTL)).isFalse();
    }

    @Test
    @Promise(5)
    void whatOneHasReadInATransactionTheOtherDoesNotSeeAgain() {
        clock.advance(TTL);
        Optional<String> seen = first.transact(tx -> {
            Optional<String> read = tx.group("group").get("key");
            long unused = tx.group("group").put("other", "value");
            return read;
        });
        assertThat(seen).isEmpty();
        clock.advance(Duration.ofMinutes(-1));
        assertThat(ofSecond.get("key")).isEmpty();
    }

    /** A commit that has locked its slot in time renews the entry, however late it commits. */
    @Test
    @Promise(5)
    void aReaderThatFindsAnEntryJustExpiredWaitsForTheCommitThatRenewsIt() throws Exception {
        try (Connection other = TestServer.dataSource().getConnection()) {
            other.setAutoCommit(false);
            renew(other);
            clock.advance(TTL);
            CompletableFuture<Optional<String>> read = CompletableFuture.supplyAsync(() -> ofSecond.get("key"));
            awaitWaiting();
            assertThat(read).isNotDone();
            other.commit();
            assertThat(read.get(10, TimeUnit.SECONDS)).contains("value");
        }
    }

    @Test
    @Promise(4)
    void aReaderOfALiveEntryDoesNotWaitForACommit() throws Exception {
        ofFirst.put("permanent", "value");
        try (Connection other = TestServer.dataSource().getConnection()) {
            other.setAutoCommit(false);
            renew(other);
            assertThat(ofSecond.get("key")).contains("value");
            assertThat(ofSecond.get("permanent")).contains("value");
            assertThat(ofSecond.get("missing")).isEmpty();
            assertThat(ofSecond.count()).isEqualTo(2);
            assertThat(ofSecond.keys()).hasSize(2);
        }
    }

    private void renew(Connection other) throws SQLException {
        try (Statement statement = other.createStatement()) {
            TestServer.lockSlots(statement, schema);
            int renewed = statement.executeUpdate(
                    "UPDATE \"" + schema + "\".entry SET expires_at = expires_at + 600000 WHERE key = 'key'");
            assertThat(renewed).isEqualTo(1);
        }
    }

    private static void awaitWaiting() {
        String waits = TestServer.isDistributed()
                ? "SELECT count(*) FROM citus_lock_waits"
                : "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
        Awaitility.await().until(() -> {
            try (Connection admin = TestServer.admin().getConnection();
                    Statement statement = admin.createStatement();
                    ResultSet result = statement.executeQuery(waits)) {
                return result.next() && result.getInt(1) > 0;
            }
        });
    }
}
