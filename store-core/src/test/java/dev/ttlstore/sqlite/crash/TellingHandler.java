package dev.ttlstore.sqlite.crash;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.expiry.ExpiryHandler;

/** Says that it was called, takes a moment, and says that it is about to return, unless it throws. */
final class TellingHandler implements ExpiryHandler<String> {

    static final String CALL = "call";
    static final String RETURN = "return";

    private static final long LONGEST_NANOS = 2_000_000;

    private final String subscriber;
    private final double failures;
    private final Consumer<String> say;

    /** Creates a handler of which a part of the calls, 0 to 1, throw. */
    TellingHandler(String subscriber, double failures, Consumer<String> say) {
        this.subscriber = subscriber;
        this.failures = failures;
        this.say = say;
    }

    @Override
    public void handle(ExpiredEntry<String> entry) {
        say.accept(String.join(
                " ",
                CALL,
                subscriber,
                entry.key(),
                entry.value(),
                Long.toString(entry.version()),
                Long.toString(entry.expiresAt().toEpochMilli()),
                Integer.toString(entry.attempt()),
                Long.toString(System.currentTimeMillis())));
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_NANOS));
        if (ThreadLocalRandom.current().nextDouble() < failures) {
            throw new IllegalStateException("on purpose");
        }
        say.accept(RETURN + " " + subscriber + " " + entry.key() + " " + entry.value());
    }
}
