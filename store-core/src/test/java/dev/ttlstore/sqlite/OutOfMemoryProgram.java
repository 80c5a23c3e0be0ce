package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.ttlstore.Store;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.expiry.ExpirySettings;

/**
 * Uses a store while its heap is full for seconds now and then, beside purges, handlers, listeners and asynchronous writes, and says at
 * the end what was acknowledged and is missing.
 */
final class OutOfMemoryProgram {

    private static final int ROUNDS = 6;
    private static final int ENTRIES = 600;
    private static final Duration TTL = Duration.ofMillis(250);
    private static final long FULL_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final Set<String> handled = ConcurrentHashMap.newKeySet();
    private static final List<String> expiring = new ArrayList<>(ROUNDS * ENTRIES);
    private static final List<String> kept = new ArrayList<>(ROUNDS * ENTRIES);
    private static final List<CompletableFuture<?>> futures = new ArrayList<>(ROUNDS * ENTRIES);
    private static final int MOST = 300_000;
    private static final List<byte[]> hog = new ArrayList<>(MOST);
    private static volatile boolean isHeld;
    private static volatile long fullUntil;
    private static int errors;
    private static int full;

    private OutOfMemoryProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        List<String> keys = new ArrayList<>(ROUNDS * ENTRIES); // made while there is memory
        for (int i = 0; i < ROUNDS * ENTRIES; i++) {
            keys.add("key" + i);
        }
        try (Store store = Store.builder()
                .path(Path.of(arguments[0]))
                .purgeInterval(Duration.ofMillis(100))
                .expiry(ExpirySettings.defaults()
                        .withMaxAttempts(100)
                        .withDelays(Duration.ofMillis(100), Duration.ofSeconds(1)))
                .open()) {
            store.onExpired("subscriber", "expiring", entry -> handled.add(entry.key()));
            store.onChange(event -> {});
            store.group("beside").put("updated", "value");
            Thread releasing = new Thread(OutOfMemoryProgram::release);
            releasing.setDaemon(true);
            releasing.start();
            for (int round = 0; round < ROUNDS; round++) {
                boolean isFull = round % 2 == 1;
                if (isFull) {
                    fill();
                    fullUntil = System.nanoTime() + FULL_NANOS;
                    isHeld = true;
                }
                for (int i = 0; i < ENTRIES && isHeld == isFull; i++) {
                    write(store, keys.get(round * ENTRIES + i), i % 3);
                }
                while (isHeld) {
                    LockSupport.parkNanos(LOOK_NANOS); // entries expire meanwhile
                }
            }
            long patience = System.nanoTime() + Duration.ofSeconds(40).toNanos();
            while (System.nanoTime() - patience < 0
                    && !(handled.containsAll(expiring)
                            && futures.stream().allMatch(CompletableFuture::isDone)
                            && passes(store))) {
                Thread.sleep(50);
            }
            store.check();
            expiring.removeAll(handled);
            kept.removeAll(store.group("kept").keys().toList());
        }
        System.out.println("errors " + errors);
        System.out.println("full " + full);
        System.out.println("unfinished "
                + futures.stream().filter(future -> !future.isDone()).count());
        System.out.println("unhandled " + expiring.size());
        System.out.println("missing " + kept.size());
    }

    private static void write(Store store, String key, int kind) {
        try {
            if (kind == 0) {
                store.group("expiring").put(key, "value", TTL);
                expiring.add(key);
            } else if (kind == 1) {
                futures.add(writeAsync(store, key));
            } else {
                store.group("kept").put(key, "value");
                kept.add(key);
            }
        } catch (OutOfMemoryError e) {
            errors++;
        }
    }

    /** Each kind of asynchronous write that has several steps, and one that has not. */
    private static CompletableFuture<?> writeAsync(Store store, String key) {
        return switch (futures.size() % 5) {
            case 0 -> store.group("beside").async().update("updated", value -> "changed");
            case 1 -> store.group("beside").async().add("value");
            case 2 -> store.counters("counted").async().increment(key);
            case 3 -> store.group("cleared").async().clear();
            default -> store.group("beside").async().put(key, "value");
        };
    }

    /** In a thread of its own: the one that writes may wait, because little goes on while the heap is full. */
    private static void release() {
        while (true) {
            LockSupport.parkNanos(LOOK_NANOS);
            if (isHeld && System.nanoTime() - fullUntil > 0) {
                hog.clear();
                isHeld = false;
            }
        }
    }

    /** Takes all there is, in ever smaller pieces. */
    private static void fill() {
        for (int size = 1 << 20; size >= 64; size /= 4) {
            try {
                while (hog.size() < MOST) {
                    hog.add(new byte[size]);
                }
            } catch (OutOfMemoryError e) {
                full++; // there may be room for smaller ones
            }
        }
    }

    /** Work that has failed while memory was full counts as failing until it is tried again. */
    private static boolean passes(Store store) {
        try {
            store.check();
            return true;
        } catch (StoreException e) {
            return false;
        }
    }
}
