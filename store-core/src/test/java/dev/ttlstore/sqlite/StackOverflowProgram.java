package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Threads;

/**
 * Calls a store from ever deeper in the stack, until there is none left, while others use it, and says how that went. A process
 * of its own: a class whose initialization overflows cannot be used any more, and may be any that the tests need, too.
 */
final class StackOverflowProgram {

    private static final long STACK_BYTES = 512 * 1024;

    /** Levels before the end of the stack at which the store is called; a call takes less than that. */
    private static final int LEVELS = 600;

    /** From one call to the next; prime, so that calls meet the end of the stack at different places. */
    private static final int STEP = 3;

    private static final List<Consumer<Store>> CALLS = List.of(
            store -> store.group("deep").put("key", "value", Duration.ofHours(1)),
            store -> store.group("deep").get("other"),
            store -> store.group("deep").delete("key"),
            store -> store.group("deep").getAll(List.of("key", "other")),
            store -> store.group("deep").count(),
            store -> store.group("deep").update("key", value -> value + "+"),
            store -> store.transact(tx -> tx.group("deep").putIfAbsent("key", "value")),
            store -> Threads.get(store.group("deep").async().put("key", "value")),
            store -> store.purgeExpired());

    private final Store store;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger beside = new AtomicInteger();

    private StackOverflowProgram(Store store) {
        this.store = store;
    }

    public static void main(String[] arguments) throws InterruptedException {
        boolean cached = Boolean.parseBoolean(arguments[1]);
        try (Store store = Store.builder()
                .engine(Sqlite.file(Path.of(arguments[0])).readers(1))
                .cacheSize(cached ? 1_000_000 : 0)
                .open()) {
            new StackOverflowProgram(store).run();
            store.check();
        }
        System.out.println("closed");
    }

    private void run() throws InterruptedException {
        ExecutorService others = Executors.newFixedThreadPool(2);
        List<Future<?>> bystanders = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            bystanders.add(others.submit(this::useTheStore));
        }
        int overflows = 0;
        for (Consumer<Store> call : CALLS) {
            overflows += callNearTheEndOfTheStack(() -> call.accept(store));
            awaitProgress(bystanders);
        }
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger acknowledged = new AtomicInteger();
        overflows += callNearTheEndOfTheStack(() -> {
            asked.incrementAndGet();
            store.counters("counters").increment("key");
            acknowledged.incrementAndGet();
        });
        over.set(true);
        bystanders.forEach(Threads::get);
        others.shutdown();
        long counted = store.counters("counters").get("key").orElse(0L);
        System.out.println("overflows " + overflows);
        // What overflows behind the commit is done though its caller does not learn of it.
        System.out.println("lost " + Math.max(0, acknowledged.get() - counted));
        System.out.println("twice " + Math.max(0, counted - asked.get()));
    }

    private void useTheStore() {
        while (!over.get()) {
            store.group("beside").put("key", "value");
            if (!store.group("beside").contains("key")) {
                throw new IllegalStateException("A write is missing");
            }
            beside.incrementAndGet();
            LockSupport.parkNanos(200_000); // or little is left of the machine for the calls
        }
    }

    private void awaitProgress(List<Future<?>> bystanders) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        int before = beside.get();
        while (beside.get() < before + 4) {
            bystanders.stream().filter(Future::isDone).forEach(Threads::get); // throws what has ended it
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("Others wait for the store");
            }
            LockSupport.parkNanos(100_000);
        }
    }

    /** How often the stack has overflowed. */
    private static int callNearTheEndOfTheStack(Runnable call) throws InterruptedException {
        AtomicInteger overflows = new AtomicInteger();
        Thread thread = new Thread(
                null,
                () -> {
                    call.run();
                    int deepest = deepest();
                    for (int level = deepest - LEVELS; level < deepest + 10; level += STEP) {
                        try {
                            dig(level, call);
                        } catch (StackOverflowError e) {
                            overflows.incrementAndGet();
                        }
                    }
                },
                "deep",
                STACK_BYTES);
        thread.start();
        thread.join(TimeUnit.SECONDS.toMillis(120));
        if (thread.isAlive()) {
            throw new IllegalStateException("A call does not return");
        }
        return overflows.get();
    }

    private static int deepest() {
        int low = 0;
        int high = 100_000;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            try {
                dig(middle, () -> {});
                low = middle;
            } catch (StackOverflowError e) {
                high = middle;
            }
        }
        return low;
    }

    private static void dig(int levels, Runnable call) {
        if (levels == 0) {
            call.run();
        } else {
            dig(levels - 1, call);
        }
    }
}
