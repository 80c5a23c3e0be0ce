package dev.ttlstore.sqlite.crash;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import dev.ttlstore.Codec;
import dev.ttlstore.Store;
import dev.ttlstore.event.Subscription;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Has one entry expire for one subscriber, and halts after a step, as a crash would. */
final class HaltingProgram {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    static final String GROUP = "group";
    static final String KEY = "key";
    static final String VALUE = "value";
    static final String SUBSCRIBER = "mail";
    static final String CALLED = "called";

    private final HaltingStep step;
    private final Store store;
    private final CountDownLatch writerIsHeld = new CountDownLatch(1);

    private HaltingProgram(HaltingStep step, Store store) {
        this.step = step;
        this.store = store;
    }

    /** Takes the file and the step. */
    public static void main(String[] arguments) {
        try {
            new HaltingProgram(HaltingStep.valueOf(arguments[1]), open(Path.of(arguments[0]))).run();
        } catch (RuntimeException | Error e) {
            CrashingProgram.fail(e);
            halt();
        }
    }

    /** A store that removes what has expired only when it is told to. */
    static Store open(Path file) {
        return Store.builder()
                .path(file)
                .purgeInterval(Duration.ZERO)
                .expiryOnTime(false)
                .open();
    }

    private void run() {
        Subscription unused = store.onExpired(SUBSCRIBER, GROUP, new DecodingCodec(step), expired -> handle());
        store.group(GROUP).put(KEY, VALUE, Duration.ofMillis(1));
        await(() -> !store.group(GROUP).contains(KEY));
        haltAfter(HaltingStep.EXPIRED);
        if (step == HaltingStep.FOUND_AND_NOT_COMMITTED) {
            store.transact(tx -> {
                tx.group(GROUP).put(KEY, "in its place");
                haltAfter(HaltingStep.FOUND_AND_NOT_COMMITTED);
                return true;
            });
        }
        store.purgeExpired();
        if (step == HaltingStep.RETURNED_AND_NOT_ACKNOWLEDGED) {
            store.transact(tx -> {
                writerIsHeld.countDown();
                await(HaltingProgram::isAcknowledgementUnderWay);
                haltAfter(HaltingStep.RETURNED_AND_NOT_ACKNOWLEDGED);
                return true;
            });
        }
        await(() -> store.expirySubscribers().stream().allMatch(subscriber -> subscriber.pending() == 0));
        haltAfter(HaltingStep.ACKNOWLEDGED);
    }

    private void handle() throws InterruptedException {
        CrashingProgram.say(CALLED);
        haltAfter(HaltingStep.IN_THE_HANDLER);
        if (step == HaltingStep.RETURNED_AND_NOT_ACKNOWLEDGED) {
            writerIsHeld.await();
        }
    }

    /** Decodes the values for the handler, the last that happens before it is called. */
    private record DecodingCodec(HaltingStep step) implements Codec<String> {
        @Override
        public byte[] encode(String value) {
            return value.getBytes(UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
            if (step == HaltingStep.RECORDED) {
                halt();
            }
            return new String(bytes, UTF_8);
        }
    }

    /** Whether the thread that takes note of returns waits for the writer, which a transaction holds. */
    private static boolean isAcknowledgementUnderWay() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().equals("ttl-store-delivery"))
                .flatMap(thread -> Arrays.stream(thread.getValue()))
                .anyMatch(frame -> frame.getClassName().endsWith(".Acknowledgements"));
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) { // or the test would wait for as long as this process does
                throw new IllegalStateException("What was waited for did not come within " + PATIENCE);
            }
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
    }

    private void haltAfter(HaltingStep reached) {
        if (step == reached) {
            halt();
        }
    }

    private static void halt() {
        Runtime.getRuntime().halt(0);
    }
}
