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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Entry;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    void aStartBetweenTwoWrongTimesDoesNotEndTheMending() {
        openAndLeap();
        close();
        clock.advance(LEAD.dividedBy(-2));
        TextGroup group = open();
        purge();
        group.put("between", "value", TTL);
        close();
        clock.advance(LEAD.dividedBy(-2));
        group = open();
        purge();
        assertThat(ttl(group, "between")).contains(TTL);
        assertThat(ttl(group, "written")).contains(TTL);
        assertThat(ttl(group, "renewed")).contains(TTL);
    }

    @Test
    void whatHadExpiredBeforeTheLeapStaysGoneIfTheClockComesBackToAnEarlierTime() {
        TextGroup group = open();
        group.put("gone", "value", TTL);
        clock.advance(HOUR);
        assertThat(group.get("gone")).isEmpty();
        clock.advance(LEAD);
        group.put("written", "value", TTL);
        clock.advance(LEAD.plus(HOUR).negated());
        assertThat(group.get("gone")).isEmpty();
        requireNonNull(store).check();
        purge();
        clock.advance(HOUR.plus(TTL));
        assertThat(group.keys()).isEmpty();
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

    /** A machine without a battery is in 1970 at each start, until it has asked for the time. What it wrote by the right time stays. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Promise(3)
    void twoStartsIn1970WithinADayShortenNothing(boolean known) {
        Instant right = clock.instant();
        if (known) {
            open().put("old", "value", Duration.ofDays(30));
            close();
        }
        clock.set(Instant.EPOCH);
        open().put("permanent", "value");
        clock.set(right.plus(HOUR));
        TextGroup group = requireNonNull(store).group("group");
        group.put("new", "value", Duration.ofDays(30));
        close();
        clock.set(Instant.EPOCH);
        group = open();
        purge();
        clock.set(right.plus(HOUR.multipliedBy(2)));
        purge();
        assertThat(ttl(group, "new")).contains(Duration.ofDays(30).minus(HOUR));
        assertThat(group.contains("old")).isEqualTo(known);
    }

    /** A new store does not know whether its first clock was right. */
    @Test
    void theCheckFailsWhileTheTimeStandsStill() {
        clock.advance(LEAD);
        TextGroup group = open();
        Store opened = requireNonNull(store);
        clock.advance(Duration.ofDays(-1));
        opened.check();
        clock.advance(LEAD.negated());
        assertThatThrownBy(opened::check)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("nothing expires")
                .hasMessageContaining("restart the application");
        group.put("key", "value", TTL);
        group = reopen();
        requireNonNull(store).check();
        group.put("key", "value", TTL);
        clock.advance(TTL);
        assertThat(group.get("key")).isEmpty();
    }

    @Test
    void whatWasWrittenAfterAStartWithAClockThatWasAheadIsMended() {
        open().put("before", "value", Duration.ofDays(7_300));
        close();
        clock.advance(LEAD);
        TextGroup group = open();
        group.put("written", "value", TTL);
        clock.advance(LEAD.negated().plusSeconds(1));
        purge();
        assertThat(ttl(group, "written")).contains(TTL);
        clock.advance(TTL);
        assertThat(group.keys()).containsExactly("before");
    }

    @Test
    void aStoreThatWasClosedForDaysWhileItsClockWasAheadIsMended() {
        openAndLeap();
        close();
        clock.advance(Duration.ofDays(2));
        TextGroup group = open();
        purge();
        group.put("written", "value", TTL);
        clock.advance(LEAD.negated());
        purge();
        assertThat(ttl(group, "written")).contains(TTL);
        clock.advance(TTL);
        assertThat(group.get("written")).isEmpty();
    }

    @Test
    @Promise(3)
    void aStoreThatWasClosedForLongKeepsItsTimeWhenItsClockFallsFarBack() {
        open();
        close();
        clock.advance(Duration.ofDays(365));
        TextGroup group = open();
        group.put("key", "value", HOUR);
        Optional<Instant> expiry = group.entry("key").map(Entry::expiresAt);
        clock.advance(Duration.ofDays(-400));
        purge();
        clock.advance(Duration.ofDays(400));
        assertThat(group.entry("key").map(Entry::expiresAt)).isEqualTo(expiry);
    }
}
