package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import dev.ttlstore.Store;

/** Uses a store while its heap is full now and then, and says at the end what was acknowledged and is missing. */
final class OutOfMemoryProgram {

    private static final int ROUNDS = 12;
    private static final int ENTRIES = 40;
    private static final Duration TTL = Duration.ofMillis(250);

    private static int full;

    private OutOfMemoryProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        Set<String> handled = ConcurrentHashMap.newKeySet();
        List<String> expiring = new ArrayList<>(ROUNDS * ENTRIES);
        List<String> kept = new ArrayList<>(ROUNDS * ENTRIES);
        List<CompletableFuture<?>> futures = new ArrayList<>(ROUNDS * ENTRIES);
        int errors = 0;
        try (Store store = Store.open(Path.of(arguments[0]))) {
            store.onExpired("subscriber", "expiring", entry -> handled.add(entry.key()));
            store.onChange(event -> {});
            for (int round = 0; round < ROUNDS; round++) {
                List<byte[]> hog = round % 2 == 0 ? null : fill();
                for (int i = 0; i < ENTRIES; i++) {
                    try {
                        String key = round + "-" + i;
                        store.group("expiring").put(key, "value", TTL);
                        expiring.add(key);
                        futures.add(store.group("beside").async().put(key, "value"));
                        store.group("kept").put(key, "value");
                        kept.add(key);
                    } catch (OutOfMemoryError e) {
                        errors++;
                    }
                }
                Thread.sleep(TTL.toMillis() + 100); // the heap stays full while entries expire
                if (hog != null) {
                    hog.clear();
                }
            }
            long patience = System.nanoTime() + Duration.ofSeconds(40).toNanos();
            while (System.nanoTime() - patience < 0
                    && !(handled.containsAll(expiring) && futures.stream().allMatch(CompletableFuture::isDone))) {
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
        System.out.println("missing " + (expiring.size() + kept.size()));
    }

    /** Takes all there is, in ever smaller pieces. */
    private static List<byte[]> fill() {
        List<byte[]> hog = new ArrayList<>(100_000);
        for (int size = 1 << 20; size >= 64; size /= 4) {
            try {
                while (hog.size() < 90_000) {
                    hog.add(new byte[size]);
                }
            } catch (OutOfMemoryError e) {
                full++; // there may be room for smaller ones
            }
        }
        return hog;
    }
}
