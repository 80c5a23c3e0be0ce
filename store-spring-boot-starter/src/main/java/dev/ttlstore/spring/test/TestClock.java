package dev.ttlstore.spring.test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A clock that stands still until a test moves it, only ever forward. What expires by a move has been removed from the store
 * when the call returns, and the {@code @EventListener} methods of the application have been told; methods with
 * {@code @OnExpiry} are called in other threads, at once, so a test waits for what they do (Awaitility is made for that).
 *
 * <pre>{@code
 * String key = invitations.invite("ann@example.org");
 * clock.advance(Duration.ofDays(10));
 * assertThat(invitations.find(key)).isEmpty();
 * }</pre>
 *
 * <p>It is a bean where {@link AutoConfigureTestStore} is. Its zone is UTC. Thread-safe.
 */
public final class TestClock extends Clock {

    private final Runnable moved;

    /** Read by anybody, set under the monitor. */
    private volatile Instant time;

    /**
     * Stops a clock.
     *
     * @param start its time
     * @param moved called after each move
     */
    TestClock(Instant start, Runnable moved) {
        this.time = start;
        this.moved = moved;
    }

    /**
     * Moves it forward.
     *
     * @param duration how far; zero to have what has expired removed and told, and nothing else
     * @throws IllegalArgumentException if the duration is negative
     * @throws IllegalStateException within a transaction of the store, which cannot purge then
     */
    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(
                    "'duration' must not be negative, for a store's time never runs backwards, but is " + duration);
        }
        synchronized (this) {
            time = time.plus(duration);
        }
        moved.run(); // without the monitor, for listeners of the store may move the clock, too
    }

    /**
     * Moves it forward to an instant.
     *
     * @param instant its new time, not before the one it has
     * @throws IllegalArgumentException if the instant is before the clock's time
     * @throws IllegalStateException within a transaction of the store, which cannot purge then
     */
    public void set(Instant instant) {
        synchronized (this) {
            if (instant.isBefore(time)) {
                throw new IllegalArgumentException("'instant' must not be before the clock's time, " + time
                        + ", for a store's time never runs backwards, but is " + instant);
            }
            time = instant;
        }
        moved.run();
    }

    /**
     * Its time.
     *
     * @return where the last move has left it
     */
    @Override
    public Instant instant() {
        return time;
    }

    /**
     * Its zone.
     *
     * @return UTC
     */
    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    /**
     * The same time in another zone.
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
     * What it is, and its time.
     *
     * @return a text for people
     */
    @Override
    public String toString() {
        return "TestClock[" + instant() + "]";
    }
}
