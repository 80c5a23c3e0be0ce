package dev.ttlstore.spring.test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A clock that stands still until a test moves it forward. When a move returns, the entries that it has expired are
 * removed from the store, and the application's {@code @EventListener} methods have been called. {@code @OnExpiry}
 * methods start at once on other threads, so a test waits for their effects, for example with Awaitility.
 *
 * <pre>{@code
 * @Test
 * void anInvitationExpires(@Autowired Store store, @Autowired TestClock clock) {
 *     String key = store.group("invites").add("ann@example.org", Duration.ofDays(10));
 *     clock.advance(Duration.ofDays(10));
 *     assertThat(store.group("invites").get(key)).isEmpty();
 * }
 * }</pre>
 *
 * <p>{@link AutoConfigureTestStore} registers it as a bean. Its zone is UTC. Thread-safe.
 *
 * @since 0.1
 * @see AutoConfigureTestStore
 */
public final class TestClock extends Clock {

    private final Runnable moved;

    /** Read without a lock, set under the monitor. */
    private volatile Instant time;

    /**
     * Creates a clock that stands still.
     *
     * @param start the time
     * @param moved the action after each move
     */
    TestClock(Instant start, Runnable moved) {
        this.time = start;
        this.moved = moved;
    }

    /**
     * Moves the clock forward.
     *
     * @param duration the distance; zero only removes what has expired and publishes it
     * @throws IllegalArgumentException if the duration is negative
     * @throws IllegalStateException within a transaction of the store, during which it cannot purge
     */
    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(
                    "'duration' must not be negative, because a store's time never runs backwards, but is " + duration);
        }
        synchronized (this) {
            time = time.plus(duration);
        }
        moved.run(); // without the monitor, because listeners of the store may move the clock
    }

    /**
     * Moves the clock forward to an instant.
     *
     * @param instant the new time, not before the current one
     * @throws IllegalArgumentException if the instant is before the clock's time
     * @throws IllegalStateException within a transaction of the store, during which it cannot purge
     */
    public void set(Instant instant) {
        synchronized (this) {
            if (instant.isBefore(time)) {
                throw new IllegalArgumentException("'instant' must not be before the clock's time, " + time
                        + ", because a store's time never runs backwards, but is " + instant);
            }
            time = instant;
        }
        moved.run();
    }

    /**
     * Returns the time of the clock.
     *
     * @return the time after the last move
     */
    @Override
    public Instant instant() {
        return time;
    }

    /**
     * Returns the zone of the clock.
     *
     * @return UTC
     */
    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    /**
     * Returns a clock with the same time in another zone.
     *
     * @param zone the zone
     * @return a clock that moves with this one
     */
    @Override
    public Clock withZone(ZoneId zone) {
        InstantSource source = () -> time;
        return source.withZone(zone);
    }

    /**
     * Returns a description with the clock's time.
     *
     * @return the description
     */
    @Override
    public String toString() {
        return "TestClock[" + instant() + "]";
    }
}
