package dev.ttlstore.benchmark;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands until it is moved, so that entries expire when a benchmark wants it. */
final class MovableClock implements InstantSource {

    private final AtomicLong millis =
            new AtomicLong(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    @Override
    public long millis() {
        return millis.get();
    }

    void advance(Duration time) {
        millis.addAndGet(time.toMillis());
    }
}
