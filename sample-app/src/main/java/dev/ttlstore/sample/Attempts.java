package dev.ttlstore.sample;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.ttlstore.Counters;
import dev.ttlstore.Entry;

/** How often each client has tried something in its minute: counters that go with that minute. */
final class Attempts {

    private static final Duration WINDOW = Duration.ofMinutes(1);

    private final Counters attempts;
    private final int limit;
    private final Now now;

    Attempts(Counters attempts, int limit, Now now) {
        this.attempts = attempts;
        this.limit = limit;
        this.now = now;
    }

    /** Counts an attempt, and answers how long to wait if there were too many. */
    Optional<Duration> count(String client) {
        // Read first, so that who keeps on trying in vain costs no more writes.
        boolean over = attempts.get(client).orElse(0L) >= limit;
        if (over || attempts.increment(client, 1, WINDOW) > limit) {
            Instant end = attempts.entry(client).map(Entry::expiresAt).orElseGet(now::get);
            return Optional.of(Duration.between(now.get(), end));
        }
        return Optional.empty();
    }

    /** Takes an attempt back that is not to count. */
    void uncount(String client) {
        attempts.increment(client, -1, WINDOW);
    }
}
