package dev.ttlstore.engine.support;

import java.time.Duration;
import java.util.Objects;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.HighWater;
import dev.ttlstore.exception.StoreClosedException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

/** The numbers and the time of a store that one process owns. */
class OwnerStateTests {

    private final MovableClock clock = new MovableClock();
    private final long start = clock.millis();
    private final OwnerState owner = new OwnerState(new HighWater(100, start), clock);

    @Test
    @Promise(9)
    void numbersContinueAfterTheSavedOne() {
        assertThat(owner.next()).isEqualTo(101);
        assertThat(owner.next()).isEqualTo(102);
    }

    @Test
    @Promise(9)
    void aNumberThatIsNotSetAsideIsDueWithItsCommit() {
        assertThat(owner.due(false)).isNull();
        long used = owner.next();
        assertThat(owner.due(false)).asInstanceOf(type(HighWater.class)).satisfies(due -> {
            assertThat(due.sequence()).isGreaterThan(used);
            assertThat(due.time()).isEqualTo(start);
        });
    }

    @Test
    @Promise(9)
    void noNumberIsUsedTwiceAfterCrashes() {
        HighWater saved = new HighWater(0, 0);
        long last = 0;
        for (int crash = 0; crash < 5; crash++) {
            OwnerState opened = new OwnerState(saved, clock);
            for (int i = 0; i < 15_000; i++) {
                long next = opened.next();
                assertThat(next).isGreaterThan(last);
                last = next;
                HighWater due = opened.due(true);
                if (due != null) {
                    opened.saved(due);
                    saved = due;
                }
                assertThat(saved.sequence()).isGreaterThanOrEqualTo(last);
            }
        }
    }

    @Test
    void notEveryCommitHasToSave() {
        owner.next();
        owner.saved(Objects.requireNonNull(owner.due(true)));
        owner.next();
        clock.advance(Duration.ofMillis(999));
        assertThat(owner.due(true)).isNull();
    }

    @Test
    @Promise(5)
    void theSavedTimeLagsByASecondAtMost() {
        clock.advance(Duration.ofSeconds(1));
        assertThat(owner.due(false)).isNull();
        assertThat(owner.due(true)).isEqualTo(new HighWater(100, start + 1_000));
    }

    @Test
    @Promise(9)
    void aClosedStoreContinuesWithoutAGap() {
        long last = owner.next();
        assertThat(owner.close()).isEqualTo(new HighWater(last, start));
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(owner::next);
        assertThat(owner.close()).isEqualTo(new HighWater(last, start)); // a full disk may take two attempts
        assertThat(owner.due(true)).isNull();
    }

    @Test
    @Promise(5)
    void theTimeIsNotBeforeTheSavedOne() {
        clock.advance(Duration.ofSeconds(-5));
        assertThat(owner.clock().now()).isEqualTo(start);
    }

    @Test
    @Promise(5)
    void aLeapIsSavedWithTheFirstCommitAfterItUntilItIsMended() {
        owner.clock().now();
        clock.advance(Duration.ofDays(365));
        HighWater ahead = Objects.requireNonNull(owner.due(true));
        owner.saved(ahead);
        assertThat(owner.due(true)).isNull();
        clock.advance(Duration.ofDays(-365));
        OwnerState next = new OwnerState(ahead, clock);
        assertThat(next.clock().now()).isBetween(start, start + 60_000);
        ClockLeap leap = Objects.requireNonNull(next.clock().leap());
        assertThat(leap.isToMend(start)).isTrue();
        next.clock().mended(leap, 1);
        assertThat(Objects.requireNonNull(next.due(true)).time())
                .isEqualTo(next.clock().now());
    }

    @Test
    @Promise(5)
    void theTimeIsSavedAgainAfterAClockThatWasAhead() {
        owner.clock().now();
        clock.advance(Duration.ofDays(365));
        owner.saved(Objects.requireNonNull(owner.due(true)));
        clock.advance(Duration.ofDays(-365).plusSeconds(2));
        owner.clock().now();
        owner.clock().mended(Objects.requireNonNull(owner.clock().leap()), 0);
        assertThat(owner.due(true)).isEqualTo(new HighWater(100, start + 2_000));
    }
}
