package dev.ttlstore.sqlite.crash;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import dev.ttlstore.sqlite.crash.ExpiryChange.Kind;

/** Draws what a thread does next to entries that expire soon. */
final class ExpiryHand {

    /** The longest that an entry lives, other than those that outlive the test. */
    static final Duration LONGEST = Duration.ofMillis(60);

    /** Longer than any test runs. */
    private static final Duration FAR = Duration.ofDays(1);

    /** So few that a key is often put again when it has just expired, or has not yet. */
    private static final int KEYS = 40;

    private final int thread;
    private final Random random;
    private final AtomicLong numbers;

    ExpiryHand(int thread, Random random, AtomicLong numbers) {
        this.thread = thread;
        this.random = random;
        this.numbers = numbers;
    }

    /** What to do in one transaction, or without one if it is a single change. */
    List<ExpiryChange> next() {
        int changes = random.nextInt(5) == 0 ? 2 + random.nextInt(3) : 1;
        return Stream.generate(this::change).limit(changes).toList();
    }

    long pauseNanos() {
        return random.nextInt(2_000_000);
    }

    private ExpiryChange change() {
        String key = thread + "." + random.nextInt(KEYS);
        long soon = 1L + random.nextInt((int) LONGEST.toMillis());
        return switch (random.nextInt(12)) {
            case 0 -> new ExpiryChange(Kind.DELETE, key, 0, 0);
            case 1 -> new ExpiryChange(Kind.RENEW, key, 0, soon);
            case 2 -> new ExpiryChange(Kind.RENEW, key, 0, FAR.toMillis());
            default -> new ExpiryChange(Kind.PUT, key, numbers.incrementAndGet(), soon);
        };
    }
}
