package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;

import static org.assertj.core.api.Assertions.assertThat;

/** Callers that have no stack left, at any place in a call of the store, while others use it. */
@Promise(23)
class StackOverflowTests {

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
            store -> store.counters("deep counters").increment("key"),
            store -> store.group("deep").update("key", value -> value + "+"),
            store -> store.transact(tx -> tx.group("deep").putIfAbsent("key", "value")),
            store -> Threads.get(store.group("deep").async().put("key", "value")),
            store -> store.purgeExpired());

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noneStopsTheStore(boolean cached) {
        try (Store store = Store.builder()
                .path(folder.resolve("store.db"))
                .cacheSize(cached ? 1_000_000 : 0)
                .readers(1)
                .open()) {
            AtomicBoolean over = new AtomicBoolean();
            AtomicInteger beside = new AtomicInteger();
            ExecutorService others = Executors.newFixedThreadPool(2);
            List<Future<?>> bystanders = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                bystanders.add(others.submit(() -> {
                    while (!over.get()) {
                        store.group("beside").put("key", "value");
                        assertThat(store.group("beside").get("key")).contains("value");
                        beside.incrementAndGet();
                        LockSupport.parkNanos(200_000); // or little is left of the machine for the calls
                    }
                }));
            }
            int overflows = 0;
            for (Consumer<Store> call : CALLS) {
                overflows += callNearTheEndOfTheStack(() -> call.accept(store));
                int before = beside.get();
                Threads.get(Threads.start(thread -> {
                    while (beside.get() < before + 4) {
                        LockSupport.parkNanos(100_000);
                    }
                    return true;
                }));
            }
            over.set(true);
            bystanders.forEach(Threads::get);
            others.shutdown();
            assertThat(overflows).isGreaterThan(CALLS.size());
            store.group("deep").put("key", "at last");
            assertThat(store.group("deep").get("key")).contains("at last");
            store.check();
        }
        try (Store again = Store.open(folder.resolve("store.db"))) {
            assertThat(again.group("deep").get("key")).contains("at last");
        }
    }

    /** What overflows behind the commit is done though its caller does not learn of it; nothing is done twice, or lost. */
    @Test
    @Promise({8, 11})
    void acknowledgedWritesAreThereAndNoneIsDoneTwice() {
        try (Store store = Store.open(folder.resolve("store.db"))) {
            AtomicInteger asked = new AtomicInteger();
            AtomicInteger acknowledged = new AtomicInteger();
            int overflows = callNearTheEndOfTheStack(() -> {
                asked.incrementAndGet();
                store.counters("counters").increment("key");
                acknowledged.incrementAndGet();
            });
            assertThat(overflows).isPositive();
            assertThat(store.counters("counters").get("key").orElseThrow())
                    .isBetween(acknowledged.longValue(), asked.longValue());
        }
    }

    /** Makes calls from ever deeper in the stack, until there is none left; how often it has overflowed. */
    private static int callNearTheEndOfTheStack(Runnable call) {
        AtomicInteger overflows = new AtomicInteger();
        Thread thread = new Thread(
                null,
                () -> {
                    call.run();
                    int deepest = depth(() -> {});
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
        try {
            thread.join(Duration.ofMinutes(1).toMillis());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(thread.isAlive()).as("hangs").isFalse();
        return overflows.get();
    }

    private static int depth(Runnable call) {
        int low = 0;
        int high = 100_000;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            try {
                dig(middle, call);
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
