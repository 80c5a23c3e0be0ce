package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.Change.Kind;
import dev.ttlstore.engine.Row;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.Watch;
import dev.ttlstore.exception.StoreCorruptedException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Rows of the log that no store has written. */
@Tag("postgresql")
@Promise(15)
class MalformedLogTests {

    private static final Slots SLOTS = new Slots(32);
    private static final int SLOT = SLOTS.of("group");
    private static final int OTHER_SLOT = (SLOT + 1) % 32;

    /** Becomes the head of its slot. */
    private static final String ADD = """
            INSERT INTO "%s".log (slot, seq, n, at, batch, due, deliveries, changes)
            SELECT slot, max(seq) + 1, 1, max(at), gen_random_uuid(), ?, false, ? FROM "%1$s".log WHERE slot = ? GROUP BY slot
            """;

    private static final String ADD_HEAD = """
            INSERT INTO "%s".log (slot, seq, n, at, batch, deliveries)
            SELECT slot, greatest(?, max(seq) + 1), ?, max(at), gen_random_uuid(), false FROM "%1$s".log WHERE slot = ? GROUP BY slot
            """;

    private final Nodes nodes = new Nodes();

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    private void add(@Nullable Long due, byte @Nullable [] changes) throws SQLException {
        try (Connection connection = TestServer.dataSource().getConnection();
                PreparedStatement statement = connection.prepareStatement(ADD.formatted(nodes.schema()))) {
            statement.setObject(1, due, java.sql.Types.BIGINT);
            statement.setBytes(2, changes);
            statement.setInt(3, SLOT);
            statement.executeUpdate();
        }
    }

    private static byte[] change(Kind kind, long sequence, String group, String key) {
        return ChangeCodec.encode(List.of(new Change(kind, sequence, 0, group, key, 1, Row.NEVER, 0)));
    }

    static Stream<byte[]> malformed() {
        long number = SLOTS.number(SLOT, 1);
        return Stream.concat(
                Stream.of("", "00", "01", "0100000000", "01ffffffff", "017fffffff", "0100000001", "020000000100")
                        .map(HexFormat.of()::parseHex),
                Stream.of(
                        change(Kind.CREATED, number, "", ""),
                        change(Kind.CREATED, number, "group", ""),
                        change(Kind.DELETED, number, "group", "\0"),
                        change(Kind.DELETED, number, "group", "\ud800"),
                        change(Kind.EXPIRED, number, "g".repeat(1_025), "key"),
                        change(Kind.GROUP_DELETED, number, "", ""),
                        change(Kind.SHORTENED, number, "", "key"),
                        change(Kind.REPLACED, Long.MAX_VALUE, "group", "key"),
                        change(Kind.REPLACED, SLOTS.number(SLOT, 1L << 57), "group", "key"),
                        change(Kind.REPLACED, SLOTS.number(OTHER_SLOT, 1), "group", "key"),
                        change(Kind.REPLACED, -number, "group", "key")));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void changesThatNoStoreHasLoggedAreAGapForThoseWhoFollowAndThoseWhoWrite(byte[] changes) throws Exception {
        Store writer = nodes.open(PostgreSql.on(nodes.pool(4, TestServer.dataSource()))
                .timeouts(Nodes.LIMITS)
                .notifications(false)
                .intervals(Nodes.neverLooking()));
        Store follower = nodes.openLooking(nodes.pool(4, TestServer.dataSource()));
        try (Watch writers = writer.group("group").watch();
                Watch followers = follower.group("group").watch()) {
            add(null, changes);
            CompletableFuture.runAsync(() -> writer.group("group").put("key", "value"))
                    .get(Nodes.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(Nodes.keysUntil(writers, "key")).containsExactly("Gap", "key");
            assertThat(Nodes.keysUntil(followers, "key")).containsExactly("Gap", "key");
        }
    }

    /** It would be the last row of its slot for ever. */
    @ParameterizedTest
    @MethodSource("beyond")
    void aRowBeyondAllNumbersHoldsNobodyUp(long seq, long numbers, int first) throws Exception {
        Store store = nodes.open();
        Store other = nodes.open();
        TextGroup group = store.group("group");
        long version = group.put("key", "before");
        try (Watch watch = other.group("group").watch()) {
            addHead(seq, numbers);
            List<Runnable> writes = List.of(
                    () -> group.put("key", "value"),
                    () -> group.putAll(Map.of("key", "value", "other", "value")),
                    () -> group.take("key"),
                    () -> store.transactWithoutResult(tx -> tx.group("group").put("key", "value")));
            for (int i = 0; i < writes.size(); i++) {
                writes.get((first + i) % writes.size()).run();
            }
            assertThat(group.put("last", "value")).isGreaterThan(version).isLessThan(1L << 62);
            assertThat(other.group("group").put("later", "value")).isGreaterThan(version);
            assertThat(Nodes.keysUntil(watch, "later")).contains("last");
        }
    }

    static Stream<Arguments> beyond() {
        return Stream.of(Long.MAX_VALUE, Long.MAX_VALUE - 10, Long.MAX_VALUE / 32, 1L << 58)
                .flatMap(number -> IntStream.range(0, 4)
                        .boxed()
                        .flatMap(first -> Stream.of(Arguments.of(number, 1, first), Arguments.of(0L, number, first))));
    }

    /** As after a clumsy repair. */
    @Test
    void aSlotWithoutAnyRowIsReportedByWhoeverReadsOrWrites() throws Exception {
        Store store = nodes.open();
        TextGroup group = store.group("group");
        group.put("key", "before");
        TestServer.commitUnderLock(nodes.schema(), "DELETE FROM @log WHERE slot = " + SLOT);
        for (ThrowingCallable use : List.<ThrowingCallable>of(
                () -> group.put("key", "value"),
                () -> group.putAll(Map.of("key", "value", "other", "value")),
                () -> group.take("key"),
                () -> group.keys().toList(),
                () -> store.transactWithoutResult(tx -> tx.group("group").put("key", "value")))) {
            assertThatExceptionOfType(StoreCorruptedException.class)
                    .isThrownBy(use)
                    .withMessageContaining("no row in the log")
                    .withMessageContaining("schema.sql");
        }
    }

    private void addHead(long seq, long numbers) throws SQLException {
        try (Connection connection = TestServer.dataSource().getConnection();
                PreparedStatement statement = connection.prepareStatement(ADD_HEAD.formatted(nodes.schema()))) {
            statement.setLong(1, seq);
            statement.setLong(2, numbers);
            statement.setInt(3, SLOT);
            statement.executeUpdate();
        }
    }

    @Test
    @Promise(16)
    void anExpiryBeforeAllTimesDelaysNoExpiry() throws Exception {
        Store store = nodes.open(
                PostgreSql.on(nodes.pool(4, TestServer.dataSource())).notifications(false),
                builder -> builder.expiryOnTime(true));
        BlockingQueue<String> expired = new LinkedBlockingQueue<>();
        var unused = store.onChange(event -> {
            if (event instanceof EntryExpired entry) {
                expired.add(entry.key());
            }
        });
        add(Long.MIN_VALUE, null);
        for (int i = 0; i < 3; i++) {
            store.group("group").put("key" + i, "value", Duration.ofMillis(10));
            assertThat(expired.poll(Nodes.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo("key" + i);
        }
    }
}
