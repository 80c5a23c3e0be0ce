package dev.ttlstore.sample.web;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.springframework.http.HttpStatus;

import dev.ttlstore.Counters;
import dev.ttlstore.Entry;

/** Limits what each client does in a time window: attempts, or amounts such as bytes. A counter expires with its window. */
public final class Attempts {

    private final Counters attempts;
    private final long limit;
    private final Duration window;
    private final Now now;

    public Attempts(Counters attempts, long limit, Duration window, Now now) {
        this.attempts = attempts;
        this.limit = limit;
        this.window = window;
        this.now = now;
    }

    public long limit() {
        return limit;
    }

    /** Counts an attempt. Returns how long to wait if there were too many. */
    public Optional<Duration> count(String client) {
        return count(client, 1);
    }

    private Optional<Duration> count(String client, long amount) {
        // Reads first, so that a client that keeps trying in vain causes no more writes.
        if (attempts.get(client).orElse(0L) + amount > limit) {
            return Optional.of(untilTheEnd(client));
        }
        if (attempts.increment(client, amount, window) > limit) {
            uncount(client, amount);
            return Optional.of(untilTheEnd(client));
        }
        return Optional.empty();
    }

    /**
     * Counts an attempt that is refused if there were too many.
     *
     * @param detail says so to the client, which also gets the limit and the time to wait
     * @throws Refusal if there were too many
     */
    public void admit(String client, String detail) {
        admit(client, 1, detail);
    }

    /**
     * Counts an amount that is refused if it was too much.
     *
     * @param detail says so to the client, which also gets the limit and the time to wait
     * @throws Refusal if it was too much
     */
    public void admit(String client, long amount, String detail) {
        count(client, amount).ifPresent(wait -> {
            throw Refusal.of(HttpStatus.TOO_MANY_REQUESTS, detail)
                    .with("limit", limit)
                    .retryAfter(wait);
        });
    }

    /** Returns whether another attempt would be too many. */
    public boolean isUsedUp(String client) {
        return left(client) == 0;
    }

    /** Returns how many more attempts there may be. */
    public long left(String client) {
        return Math.max(0, limit - attempts.get(client).orElse(0L));
    }

    private Duration untilTheEnd(String client) {
        Instant end = attempts.entry(client).map(Entry::expiresAt).orElseGet(now::get);
        return Duration.between(now.get(), end);
    }

    /** Takes back an attempt that should not count, if its window has not ended. */
    public void uncount(String client) {
        uncount(client, 1);
    }

    private void uncount(String client, long amount) {
        attempts.update(client, count -> Math.max(0, count - amount));
    }
}
