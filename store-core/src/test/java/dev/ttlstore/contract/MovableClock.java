package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test moves. Thread-safe. */
public final class MovableClock implements InstantSource {

    /** Where a clock stands when it is made. */
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private Instant now = START;

    @Override
    public synchronized Instant instant() {
        return now;
    }

    /** Moves the clock, backwards if the duration is negative. */
    public synchronized void advance(Duration duration) {
        now = now.plus(duration);
    }

    /** Sets the clock. */
    public synchronized void set(Instant instant) {
        now = instant;
    }
}
