package dev.ttlstore.postgresql;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.Watch;

import static dev.ttlstore.contract.Assertions.assertThat;

/** A near cache beside another node that changes what it holds. */
@Tag("postgresql")
class SharedNearCacheTests {

    private static final long SIZE = 1_000_000;

    private static final Duration HOUR = Duration.ofHours(1);

    private final Nodes nodes = new Nodes(TestServer.freshSchema());
    private final TappedDataSource tapped = new TappedDataSource(nodes.pool(4, TestServer.dataSource()));
    private final Store store = open(tapped, SIZE, null);
    private final TextGroup cached = store.group("group");
    private final TextGroup other = nodes.open().group("group");

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    private Store open(TappedDataSource source, @Nullable Long size, @Nullable MovableClock clock) {
        return nodes.open(PostgreSql.on(source.source()).timeouts(Nodes.LIMITS), builder -> {
            if (size != null) {
                builder.cacheSize(size);
            }
            if (clock != null) {
                builder.clock(clock);
            }
        });
    }

    /** Returns how many reads of an entry reach the server meanwhile. */
    private int reads(Runnable work) {
        int before = tapped.reads.get();
        work.run();
        return tapped.reads.get() - before;
    }

    /** Waits until a group answers from its cache. */
    private void awaitCached(TextGroup group, String key) {
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> reads(() -> group.get(key)) == 0);
    }

    /** What another node does to an entry. */
    private enum Change {
        PUT,
        DELETE,
        TAKE,
        CLEAR,
        EXPIRE_NOW,
        SHORTEN,
        EXPIRE_ALL;

        private void make(TextGroup group) {
            switch (this) {
                case PUT -> group.put("key", "changed");
                case DELETE -> group.delete("key");
                case TAKE -> group.take("key");
                case CLEAR -> group.clear();
                case EXPIRE_NOW -> group.expireNow("key");
                case SHORTEN -> group.expire("key", Duration.ofMillis(1));
                case EXPIRE_ALL -> group.expireAllNow();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @Promise(1)
    void aChangeOfAnotherNodeIsSeen(Change change) {
        other.put("key", "value", HOUR);
        other.put("kept", "value", HOUR);
        assertThat(cached.get("key")).contains("value");
        awaitCached(cached, "key");
        change.make(other);
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> cached.get("key").equals(other.get("key")));
        assertThat(cached.contains("key")).isEqualTo(change == Change.PUT);
    }

    @Test
    @Promise({13, 15})
    void whoHasGotTheEventReadsTheNewValue() throws Exception {
        try (Watch watch = store.watch("group")) {
            for (int i = 0; i < Effort.of(20, 100); i++) {
                String unread = cached.get("key").orElse("");
                other.put("key", "value" + i);
                other.put("last" + i, "value");
                List<String> unused = Nodes.keysUntil(watch, "last" + i);
                assertThat(cached.get("key")).contains("value" + i).isNotEqualTo(unread);
            }
        }
    }

    @Test
    @Promise(8)
    void ownWritesAreReadAtOnce() {
        for (int i = 0; i < 50; i++) {
            cached.put("key", "value" + i);
            assertThat(cached.get("key")).contains("value" + i);
            assertThat(cached.get("key")).contains("value" + i);
        }
        assertThat(cached.delete("key")).isTrue();
        assertThat(cached.get("key")).isEmpty();
    }

    @Test
    void onlyGetAndContainsAreAnsweredFromIt() {
        cached.put("key", "value");
        awaitCached(cached, "key");
        assertThat(reads(() -> assertThat(cached.contains("key")).isTrue())).isZero();
        assertThat(reads(() -> assertThat(cached.entry("key")).isPresent())).isEqualTo(1);
        assertThat(store.activity().cache().hits()).isPositive();
    }

    @Test
    void thereIsNoneUnlessItsSizeWasSet() {
        TappedDataSource plain = new TappedDataSource(nodes.pool(4, TestServer.dataSource()));
        TextGroup group = open(plain, null, null).group("group");
        group.put("key", "value");
        for (int i = 0; i < 10; i++) {
            assertThat(group.get("key")).contains("value");
        }
        assertThat(plain.reads).hasValue(10);
    }

    @Test
    @Promise({1, 5})
    void anEntryIsNotAnsweredAfterItsExpiry() {
        MovableClock clock = new MovableClock();
        TextGroup group = open(tapped, SIZE, clock).group("timed");
        group.put("key", "value", Duration.ofSeconds(10));
        awaitCached(group, "key");
        clock.advance(Duration.ofSeconds(10).minusMillis(1));
        assertThat(group.get("key")).contains("value");
        clock.advance(Duration.ofMillis(1));
        assertThat(group.get("key")).isEmpty();
    }

    @Test
    @Promise(3)
    void anEntryThatAnotherNodeHasRenewedLivesOn() {
        MovableClock clock = new MovableClock();
        TextGroup group = open(tapped, SIZE, clock).group("timed");
        TextGroup same =
                open(new TappedDataSource(TestServer.pool()), null, clock).group("timed");
        group.put("key", "value", Duration.ofSeconds(10));
        awaitCached(group, "key");
        assertThat(same.expire("key", HOUR)).isTrue();
        clock.advance(Duration.ofSeconds(10));
        assertThat(group.get("key")).contains("value");
        awaitCached(group, "key");
    }

    @Test
    @Promise({1, 23})
    void itIsPassedOverWhileTheLogCannotBeRead() {
        cached.put("key", "value");
        awaitCached(cached, "key");
        tapped.blind(true);
        other.put("key", "changed");
        // After a second at most, whatever was kept.
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> cached.get("key").equals(Optional.of("changed")));
        assertThat(reads(() -> {
                    for (int i = 0; i < 10; i++) {
                        assertThat(cached.get("key")).contains("changed");
                    }
                }))
                .isEqualTo(10);
        other.delete("key");
        tapped.blind(false);
        awaitCachedAgain();
        assertThat(cached.get("key")).isEmpty();
    }

    private void awaitCachedAgain() {
        cached.put("another", "value");
        awaitCached(cached, "another");
    }

    @Test
    @Promise(10)
    void noWriteDecidesByIt() {
        cached.put("key", "value");
        awaitCached(cached, "key");
        tapped.blind(true);
        other.put("key", "changed");
        assertThat(cached.update("key", value -> value + " twice")).contains("changed twice");
        other.put("key", "again");
        assertThat(cached.replace("key", "changed twice", "wrong")).isEmpty();
        assertThat(cached.putIfAbsent("key", "wrong")).isEmpty();
        assertThat(cached.take("key")).contains("again");
    }

    /** Several times, because the row may have been read before the commit was seen in the log, or after. */
    @RepeatedTest(5)
    @Promise(9)
    void afterARestoreNothingOfWhatWasLostIsAnswered() throws Exception {
        other.put("key", "value");
        copyTheTables();
        other.put("key", "lost");
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> cached.get("key").equals(Optional.of("lost")));
        awaitCached(cached, "key");
        restoreTheCopy();
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> cached.get("key").equals(Optional.of("value")));
    }

    private void copyTheTables() throws Exception {
        execute("CREATE TABLE @log_copy AS TABLE @log", "CREATE TABLE @entry_copy AS TABLE @entry");
    }

    private void restoreTheCopy() {
        TestServer.commitUnderLock(
                nodes.schema(),
                "TRUNCATE @log, @entry",
                "INSERT INTO @log TABLE @log_copy",
                "INSERT INTO @entry TABLE @entry_copy");
    }

    private void execute(String... texts) throws Exception {
        Statements.runIn(nodes.schema(), texts);
    }
}
