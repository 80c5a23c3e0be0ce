package dev.ttlstore.sample;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.ttlstore.Counters;
import dev.ttlstore.Entry;

/** How often each client was let try something in its minute: counters that go with that minute. */
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
        if (attempts.get(client).orElse(0L) >= limit) {
            return Optional.of(untilTheEnd(client));
        }
        if (attempts.increment(client, 1, WINDOW) > limit) {
            uncount(client);
            return Optional.of(untilTheEnd(client));
        }
        return Optional.empty();
    }

    private Duration untilTheEnd(String client) {
        Instant end = attempts.entry(client).map(Entry::expiresAt).orElseGet(now::get);
        return Duration.between(now.get(), end);
    }

    /** Takes an attempt back that is not to count, if it was in this minute. */
    void uncount(String client) {
        attempts.update(client, count -> Math.max(0, count - 1));
    }
}
