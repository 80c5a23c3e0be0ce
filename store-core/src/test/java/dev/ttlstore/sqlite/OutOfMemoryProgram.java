package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import dev.ttlstore.Store;
import dev.ttlstore.event.Subscription;

/** Uses a store while its heap is full for seconds now and then, and says at the end what is missing and which threads are gone. */
final class OutOfMemoryProgram {

    private static final int ROUNDS = 6;
    private static final int ENTRIES = 250;
    private static final Duration TTL = Duration.ofMillis(250);
    private static final Duration FULL = Duration.ofSeconds(3);

    private static int full;

    private OutOfMemoryProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        Set<String> handled = ConcurrentHashMap.newKeySet();
        List<String> expiring = new ArrayList<>(ROUNDS * ENTRIES);
        List<String> kept = new ArrayList<>(ROUNDS * ENTRIES);
        List<CompletableFuture<?>> futures = new ArrayList<>(ROUNDS * ENTRIES);
        String[] keys = new String[ROUNDS * ENTRIES]; // this program needs no memory while there is none
        for (int i = 0; i < keys.length; i++) {
            keys[i] = "key" + i;
        }
        int errors = 0;
        Store store = Store.builder()
                .path(Path.of(arguments[0]))
                .purgeInterval(Duration.ofMillis(100))
                .open();
        store.onExpired("subscriber", "expiring", entry -> handled.add(entry.key()));
        Subscription listener = store.onChange(event -> {});
        for (int round = 0; round < ROUNDS; round++) {
            Thread filler = new Thread(OutOfMemoryProgram::fill);
            if (round % 2 == 1) {
                filler.start();
                Thread.sleep(500);
            }
            for (int i = 0; i < ENTRIES; i++) {
                String key = keys[round * ENTRIES + i];
                try {
                    futures.add(store.group("beside").async().put(key, "value"));
                } catch (OutOfMemoryError e) {
                    errors++;
                }
                try {
                    store.group("expiring").put(key, "value", TTL);
                    expiring.add(key);
                    store.group("kept").put(key, "value");
                    kept.add(key);
                } catch (OutOfMemoryError e) {
                    errors++;
                }
            }
            filler.join(); // the heap stays full while entries expire and are purged
        }
        long patience = System.nanoTime() + Duration.ofSeconds(40).toNanos();
        while (System.nanoTime() - patience < 0
                && !(handled.containsAll(expiring) && futures.stream().allMatch(CompletableFuture::isDone))) {
            Thread.sleep(50);
        }
        store.check();
        expiring.removeAll(handled);
        kept.removeAll(store.group("kept").keys().toList());
        System.out.println("errors " + errors);
        System.out.println("full " + full);
        System.out.println("unfinished "
                + futures.stream().filter(future -> !future.isDone()).count());
        System.out.println("missing " + (expiring.size() + kept.size()));
        System.out.println("gone "
                + Stream.of("ttl-store-purge", "ttl-store-expiry", "ttl-store-deliver")
                        .filter(name -> Thread.getAllStackTraces().keySet().stream()
                                .noneMatch(thread -> thread.getName().startsWith(name)))
                        .toList());
        CompletableFuture<?> later = store.group("beside").async().put("later", "value");
        later.join();
        listener.close();
        store.close();
        System.out.println("closed true");
    }

    /** Takes all there is, in ever smaller pieces, and all that gets free meanwhile. */
    private static void fill() {
        Object[] hog = new Object[2_000_000];
        int taken = 0;
        int size = 1 << 20;
        long end = System.nanoTime() + FULL.toNanos();
        while (System.nanoTime() - end < 0 && taken < hog.length) {
            try {
                hog[taken] = new byte[size];
                taken++;
            } catch (OutOfMemoryError e) {
                full++; // there may be room for smaller ones
                size = size > 16 ? size / 4 : 1 << 10;
            }
        }
    }
}
