package dev.ttlstore.spring;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that a test moves. */
public final class MovableClock extends Clock {

    private volatile Instant time = Instant.parse("2026-01-01T00:00:00Z");

    /** Moves the clock. */
    public void advance(Duration duration) {
        time = time.plus(duration);
    }

    @Override
    public Instant instant() {
        return time;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException();
    }
}
