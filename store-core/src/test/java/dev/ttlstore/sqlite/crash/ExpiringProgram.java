package dev.ttlstore.sqlite.crash;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.ttlstore.Store;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.expiry.ExpirySettings;

/** Has entries expire without end, and says what it is about to do, what it has done, and what its handlers are called for. */
final class ExpiringProgram {

    static final String BEGIN = "begin";
    static final String DONE = CrashingProgram.DONE;

    static final String MAIL = "mail";
    static final String FLAKY = "flaky";

    private static final String GROUP = "brief";
    private static final int THREADS = 4;

    private ExpiringProgram() {}

    /** Takes the file, the seed, and a number below all that are to be put. */
    public static void main(String[] arguments) {
        try {
            Store store = open(Path.of(arguments[0]));
            subscribe(store, CrashingProgram::say);
            Random random = new Random(Long.parseLong(arguments[1]));
            AtomicLong numbers = new AtomicLong(Long.parseLong(arguments[2]));
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                ExpiryHand hand = new ExpiryHand(thread, new Random(random.nextLong()), numbers);
                CrashingProgram.start(() -> change(store, thread, hand));
            }
        } catch (RuntimeException | Error e) {
            CrashingProgram.fail(e);
        }
    }

    /** A store whose handlers are tried again soon, and never given up. */
    static Store open(Path file) {
        ExpirySettings settings = ExpirySettings.defaults()
                .withConcurrency(4)
                .withMaxAttempts(Integer.MAX_VALUE)
                .withDelays(Duration.ofMillis(2), Duration.ofMillis(20));
        return Store.builder()
                .path(file)
                .expiry(settings)
                .purgeInterval(Duration.ofMillis(5))
                .open();
    }

    /** Subscribes one whose handler works, and one whose handler often throws. */
    static void subscribe(Store store, Consumer<String> say) {
        Subscription unusedMail = store.onExpired(MAIL, GROUP, new TellingHandler(MAIL, 0, say));
        Subscription unusedFlaky = store.onExpired(FLAKY, GROUP, new TellingHandler(FLAKY, 0.3, say));
    }

    private static void change(Store store, int thread, ExpiryHand hand) {
        while (true) {
            List<ExpiryChange> changes = hand.next();
            String told = changes.stream().map(ExpiryChange::said).collect(Collectors.joining(";"));
            CrashingProgram.say(BEGIN + " " + thread + " " + System.currentTimeMillis() + " " + told);
            String answers = answers(store, changes);
            CrashingProgram.say(DONE + " " + thread + " " + System.currentTimeMillis() + " " + answers);
            LockSupport.parkNanos(hand.pauseNanos());
        }
    }

    private static String answers(Store store, List<ExpiryChange> changes) {
        if (changes.size() == 1) {
            return Boolean.toString(changes.get(0).on(store.group(GROUP)));
        }
        return store.transact(tx -> changes.stream()
                .map(change -> Boolean.toString(change.on(tx.group(GROUP))))
                .collect(Collectors.joining(";")));
    }
}
