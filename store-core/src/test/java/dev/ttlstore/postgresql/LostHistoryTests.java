package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A database that goes back in time under running stores, as one does that is restored from a copy or has failed over. */
@Tag("postgresql")
class LostHistoryTests {

    /** More than an hour of versions: 32 for each microsecond. */
    private static final long FAR = 32L << 32;

    private final Nodes nodes = new Nodes(TestServer.freshSchema());
    private final Store store = nodes.open();
    private final Store other = nodes.open();
    private final TextGroup group = store.group("group");

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    private void execute(String... texts) throws SQLException {
        Statements.runIn(nodes.schema(), texts);
    }

    private void copy() throws SQLException {
        execute("CREATE TABLE @log_copy AS TABLE @log", "CREATE TABLE @entry_copy AS TABLE @entry");
    }

    private void restore() throws SQLException {
        TestServer.commitUnderLock(
                nodes.schema(),
                "TRUNCATE @log, @entry",
                "INSERT INTO @log TABLE @log_copy",
                "INSERT INTO @entry TABLE @entry_copy");
    }

    @Test
    @Promise({9, 15})
    void watchesReportAGapAndVersionsAreNotUsedAgain() throws Exception {
        group.put("kept", "value");
        copy();
        List<Long> lost = new ArrayList<>();
        try (Watch watch = other.watch("group")) {
            for (int i = 0; i < 5; i++) {
                lost.add(group.put("lost", "value"));
            }
            lost.add(group.put("last", "value"));
            List<String> unused = Nodes.keysUntil(watch, "last");
            restore();
            WatchSignal gap = watch.poll(Nodes.PATIENCE).orElseThrow();
            assertThat(gap).isInstanceOf(WatchSignal.Gap.class);
            assertThat(group.get("lost")).isEmpty();
            long next = group.put("next", "value");
            assertThat(next).isGreaterThan(lost.get(lost.size() - 1));
            assertThat(Nodes.keysUntil(watch, "next")).containsOnlyOnce("next");
        }
    }

    @Test
    @Promise({9, 15})
    void aNodeThatWritesAtOnceReportsTheGapToo() throws Exception {
        group.put("kept", "value");
        copy();
        try (Watch own = store.watch("group");
                Watch watch = other.watch("group")) {
            long lost = group.put("lost", "value");
            List<String> unused = Nodes.keysUntil(watch, "lost"); // otherwise it would miss nothing
            restore();
            assertThat(group.put("next", "value")).isGreaterThan(lost);
            assertThat(Nodes.keysUntil(own, "next")).contains("Gap");
            assertThat(Nodes.keysUntil(watch, "next")).contains("Gap");
        }
    }

    @Test
    @Promise(9)
    void numbersContinueFarAheadOnceOnAnotherTimelineOrSystem() throws Exception {
        for (String other : List.of("mark = mark + 1", "until = until - 1")) {
            long before = group.put("key", "value");
            execute("UPDATE @lease SET " + other + " WHERE role = 'timeline'");
            long ahead = nodes.open().group("group").put("key", "value");
            assertThat(ahead).isGreaterThan(before + FAR);
            assertThat(nodes.open().group("group").put("key", "value")).isBetween(ahead + 1, ahead + FAR / 2);
            assertThat(group.put("key", "value")).isGreaterThan(ahead); // by a node that was open already
        }
    }

    @Test
    @Promise(9)
    void aStoreWithoutAMemoryOfItsTimelineGoesOnAndRemembersIt() throws Exception {
        long before = group.put("key", "value");
        execute("DELETE FROM @lease WHERE role = 'timeline'");
        assertThat(nodes.open().group("group").put("key", "value")).isBetween(before + 1, before + FAR / 2);
        execute("UPDATE @lease SET mark = mark + 1 WHERE role = 'timeline'");
        assertThat(nodes.open().group("group").put("key", "value")).isGreaterThan(before + FAR);
    }

    @Test
    @Promise(17)
    void aHandlerWhoseSubscriptionIsLostGetsWhatExpiresLater() throws Exception {
        group.put("kept", "value");
        copy();
        List<String> handled = new CopyOnWriteArrayList<>();
        store.onExpired("mail", "group", entry -> handled.add(entry.key()));
        group.put("first", "value", Duration.ofMillis(1));
        awaitHandled(handled, "first");
        execute("TRUNCATE @subscriber, @delivery", "DELETE FROM @lease WHERE role <> 'purge'");
        restore();
        Awaitility.await().until(() -> !other.expirySubscribers().isEmpty());
        group.put("second", "value", Duration.ofMillis(1));
        awaitHandled(handled, "first", "second");
    }

    private void awaitHandled(List<String> handled, String... keys) {
        Awaitility.await().until(() -> {
            long unused = store.purgeExpired();
            return handled.equals(List.of(keys));
        });
    }

    /** As somebody leaves them who empties all tables, or restores only some. */
    @Test
    @Promise(10)
    void nothingIsWrittenWithoutTheRowsThatCommitsLock() throws Exception {
        group.put("key", "value");
        execute("DELETE FROM @slot");
        assertThatThrownBy(() -> store.transact(both -> both.group("group").put("key", "next")
                        + both.group("other").put("key", "next")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("table slot");
        assertThatThrownBy(() -> group.put("key", "next"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("The table slot lacks the rows");
        execute("INSERT INTO @slot SELECT generate_series(0, 31)");
        assertThat(group.get("key")).hasValue("value");
        assertThat(group.replace("key", "value", "last")).isPresent();
    }

    @Test
    @Promise(15)
    void aNodeThatWasAwayForLongerThanTheLogIsKeptReportsAGap() throws Exception {
        group.put("first", "value");
        try (Watch watch = other.watch("group")) {
            execute("BEGIN; LOCK TABLE @log IN ACCESS EXCLUSIVE MODE; DELETE FROM @log l WHERE l.seq <"
                    + " (SELECT max(n.seq) FROM @log n WHERE n.slot = l.slot);"
                    + " UPDATE @log SET seq = seq + 1, batch = '" + UUID.randomUUID() + "' WHERE seq > 0; COMMIT");
            group.put("next", "value");
            assertThat(Nodes.keysUntil(watch, "next")).contains("Gap").endsWith("next");
        }
    }
}
