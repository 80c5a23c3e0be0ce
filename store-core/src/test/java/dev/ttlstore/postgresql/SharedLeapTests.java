package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Entry;
import dev.ttlstore.Store;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What several nodes, and later ones, make of a server's clock that was ten years ahead for a moment. */
@Tag("postgresql")
@Promise(5)
class SharedLeapTests {

    private static final Duration LEAD = Duration.ofDays(3_650);

    private static final Duration TTL = Duration.ofSeconds(30);

    private final MovableClock clock = new MovableClock();
    private final Instant begin = clock.instant();
    private final Nodes nodes = new Nodes();

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    private Store open() {
        return nodes.open(PostgreSql.on(TestServer.pool()).timeouts(Nodes.LIMITS), builder -> builder.clock(clock)
                .cacheSize(1_000_000));
    }

    private static Optional<Duration> ttl(Store store, String key) {
        return store.group("group").entry(key).map(Entry::ttl);
    }

    private void leapAhead(Store... stores) {
        for (Store store : stores) {
            store.group("group").put("before", "value", Duration.ofDays(7_300));
        }
        clock.advance(LEAD);
    }

    private void comeBack() {
        clock.advance(LEAD.negated());
    }

    @Test
    void eachNodeMayMendAndAllSeeTheSame() {
        Store first = open();
        Store second = open();
        leapAhead(first, second);
        first.group("group").put("put", "value", TTL);
        second.group("group").put("renewed", "value");
        second.group("group").expire("renewed", TTL);
        comeBack();
        for (Store store : new Store[] {first, second, first}) {
            store.purgeExpired();
            assertThat(ttl(store, "put")).contains(TTL);
            assertThat(ttl(store, "renewed")).contains(TTL);
            assertThat(ttl(store, "before")).contains(Duration.ofDays(7_300));
        }
    }

    @Test
    void whatANodeHasInItsCacheExpiresWhenItIsMendedElsewhere() {
        Store first = open();
        Store second = open();
        leapAhead(first, second);
        first.group("group").put("key", "value", TTL);
        Awaitility.await().until(() -> second.group("group").get("key").isPresent());
        assertThat(second.group("group").get("key")).contains("value"); // the second read is one of its cache
        comeBack();
        first.purgeExpired();
        clock.advance(TTL);
        Awaitility.await().until(() -> second.group("group").get("key").isEmpty());
    }

    @Test
    void aNodeThatStartsWhenAllAreGoneMends() {
        Store ahead = open();
        leapAhead(ahead);
        ahead.group("group").put("put", "value", TTL);
        ahead.group("group").expire("before", TTL);
        ahead.close();
        comeBack();
        Store later = open();
        later.purgeExpired();
        assertThat(ttl(later, "put")).contains(TTL);
        assertThat(ttl(later, "before")).contains(TTL);
        later.close();
        Store last = open();
        assertThat(last.stats().clockLead()).isNull();
    }

    @Test
    void whatWasWrittenAfterAStartWithAClockThatWasAheadIsMended() {
        Store before = open();
        before.group("group").put("before", "value", Duration.ofDays(7_300));
        before.close();
        clock.advance(LEAD);
        Store store = open();
        store.group("group").put("written", "value", TTL);
        assertThat(store.stats().clockLead()).isNull(); // nobody knows that it is not the right time
        comeBack();
        store.purgeExpired();
        assertThat(ttl(store, "written")).contains(TTL);
        assertThat(ttl(store, "before")).contains(Duration.ofDays(7_300));
    }

    @Test
    @Promise(3)
    void aStoreThatWasClosedForLongMendsNothingWhenTheClockFallsFarBack() {
        open().close();
        clock.advance(Duration.ofDays(365));
        Store store = open();
        store.group("group").put("key", "value", Duration.ofHours(1));
        clock.advance(Duration.ofDays(-400));
        store.purgeExpired();
        clock.advance(Duration.ofDays(400));
        assertThat(ttl(store, "key")).contains(Duration.ofHours(1));
    }

    @Test
    @Promise(3)
    void aRenewalByANodeThatHasNotSeenTheLeapIsNotMended() {
        Store first = open();
        leapAhead(first);
        first.group("group").put("renewed", "value", TTL);
        first.group("group").put("replaced", "value", TTL);
        first.group("group").put("extended", "value", TTL);
        comeBack();
        Store second = open();
        second.group("group").expire("extended", Duration.ofDays(7_300));
        second.group("group").expire("renewed", Duration.ofMinutes(1));
        second.group("group").put("replaced", "value", Duration.ofMinutes(1));
        first.purgeExpired();
        assertThat(ttl(first, "renewed")).contains(Duration.ofMinutes(1));
        assertThat(ttl(first, "replaced")).contains(Duration.ofMinutes(1));
        assertThat(ttl(first, "extended")).contains(Duration.ofDays(7_300));
    }

    /** A purge by the clock that was ahead has left its place in the slot. */
    @Test
    @Promise(17)
    void whatExpiresBeforeTheTimeOfTheLeapIsPurgedEvenIfNoNodeRunsInBetween() throws SQLException {
        Store store = open();
        store.group("group").put("gone", "value", TTL);
        clock.advance(LEAD);
        assertThat(store.purgeExpired()).isOne();
        assertThat(marks()).isOne();
        comeBack();
        store.group("group").put("key", "value", TTL);
        Awaitility.await().until(() -> marks() == 0);
        store.close();
        clock.advance(LEAD.plusDays(1));
        Store later = open();
        assertThat(later.purgeExpired()).isOne();
        assertThat(later.purgeExpired()).isZero();
    }

    /** How many slots have a mark that is ahead of the time when the test began. */
    private long marks() throws SQLException {
        try (Connection connection = TestServer.pool().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(
                        "SELECT count(*) FROM \"" + nodes.schema() + "\".lease WHERE role = 'purge' AND mark > "
                                + begin.plus(TTL.multipliedBy(2)).toEpochMilli())) {
            result.next();
            return result.getLong(1);
        }
    }
}
