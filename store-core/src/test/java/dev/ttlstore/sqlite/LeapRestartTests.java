package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Entry;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** A store that is restarted while its clock is ten years ahead, or before what was written meanwhile is mended. */
@Tag("file")
@Promise(5)
class LeapRestartTests {

    private static final Duration LEAD = Duration.ofDays(3_650);

    private static final Duration TTL = Duration.ofSeconds(30);

    private static final Duration HOUR = Duration.ofHours(1);

    private final MovableClock clock = new MovableClock();

    @TempDir
    Path folder;

    private @Nullable Store store;

    private TextGroup open() {
        store = Store.builder()
                .path(folder.resolve("store.db"))
                .clock(clock)
                .purgeInterval(Duration.ZERO)
                .expiryOnTime(false)
                .open();
        return store.group("group");
    }

    private TextGroup reopen() {
        close();
        return open();
    }

    @AfterEach
    void close() {
        if (store != null) {
            store.close();
        }
    }

    private void purge() {
        requireNonNull(store).purgeExpired();
    }

    private static Optional<Duration> ttl(TextGroup group, String key) {
        return group.entry(key).map(Entry::ttl);
    }

    private TextGroup openAndLeap() {
        TextGroup group = open();
        group.put("before", "value", HOUR);
        group.put("renewed", "value", Duration.ofDays(7_300));
        clock.advance(LEAD);
        group.put("written", "value", TTL);
        group.expire("renewed", TTL);
        return group;
    }

    private void requireMended(TextGroup group) {
        purge();
        assertThat(ttl(group, "written")).contains(TTL);
        assertThat(ttl(group, "renewed")).contains(TTL);
        assertThat(requireNonNull(store).stats().clockLead()).isNull();
    }

    @Test
    void whatWasWrittenMeanwhileIsMendedIfTheClockIsRightAtTheNextStart() {
        openAndLeap();
        close();
        clock.advance(LEAD.negated());
        TextGroup group = open();
        requireMended(group);
        assertThat(ttl(group, "before"))
                .hasValueSatisfying(ttl -> assertThat(ttl).isCloseTo(HOUR, Duration.ofMinutes(1)));
    }

    @Test
    void whatWasNotMendedBeforeARestartIsMendedAfterIt() {
        TextGroup group = openAndLeap();
        clock.advance(LEAD.negated());
        assertThat(group.get("before")).isPresent();
        group.put("right", "value");
        requireMended(reopen());
        assertThat(ttl(reopen(), "written")).contains(TTL);
    }

    @Test
    void aStartWhileTheClockIsAheadDoesNotEndTheMending() {
        openAndLeap();
        TextGroup group = reopen();
        group.put("written", "later", TTL);
        purge();
        group = reopen();
        purge();
        clock.advance(LEAD.negated());
        assertThat(group.get("renewed")).isPresent();
        requireMended(group);
    }

    @Test
    @Promise(3)
    void aStartIn1970MendsNothing() {
        TextGroup group = open();
        group.put("key", "value", TTL);
        Instant expiry = clock.instant().plus(TTL);
        close();
        Instant start = clock.instant();
        clock.set(Instant.EPOCH);
        group = open();
        purge();
        assertThat(group.get("key")).isPresent();
        clock.set(start.plusSeconds(1));
        purge();
        assertThat(group.entry("key").map(Entry::expiresAt)).contains(expiry);
    }

    @Test
    void aStartIn1970BeforeTheMendingPutsItOff() {
        openAndLeap();
        close();
        Instant start = clock.instant().minus(LEAD);
        clock.set(Instant.EPOCH);
        TextGroup group = open();
        purge();
        assertThat(group.get("before")).isPresent();
        clock.set(start);
        requireMended(group);
    }
}
