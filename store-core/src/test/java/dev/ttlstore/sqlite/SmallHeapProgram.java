package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import dev.ttlstore.AsyncGroup;
import dev.ttlstore.Codec;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.KeyRange;
import dev.ttlstore.Store;
import dev.ttlstore.event.Overflow;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.export.StoreExport;
import dev.ttlstore.export.StoreImport;

/**
 * Does with values of one MiB, more than the heap holds, whatever a store has queues, buffers, pages and batches for. Says what it has
 * done, one line for each.
 */
final class SmallHeapProgram {

    private static final int SIZE = 1024 * 1024 - 1_000;

    /** More than the heap holds at once. */
    private static final int MANY = 80;

    private static final Expiry SOON = Expiry.after(Duration.ofMillis(1));

    private SmallHeapProgram() {}

    private interface Step {
        void run() throws Exception;
    }

    private static void step(String name, Step step) {
        try {
            step.run();
            System.out.println("done " + name);
        } catch (Throwable e) { // the heap may be full, which is what this is about
            System.out.println("failed " + name + ": " + e);
            e.printStackTrace(System.out);
        }
    }

    private static byte[] value(int i) {
        byte[] value = new byte[SIZE];
        Arrays.fill(value, (byte) i);
        return value;
    }

    private static List<String> keys() {
        return IntStream.range(0, MANY).mapToObj(i -> "key" + i).toList();
    }

    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0]);
        try (Store store = Store.builder()
                .path(file)
                .purgeInterval(Duration.ZERO)
                .retention(Duration.ofDays(1))
                .eventHistory(30_000)
                .open()) {
            Group<byte[]> group = store.group("group", Codec.bytes());
            AsyncGroup<byte[]> async = group.async();
            step("unread watches", () -> {
                List<Watch> watches = List.of(
                        store.watch(WatchOptions.defaults().withValues()),
                        store.watch(WatchOptions.defaults()
                                .withOverflow(Overflow.DROP_NEWEST)
                                .withValues()),
                        store.watch(WatchOptions.defaults()
                                .withOverflow(Overflow.LATEST_PER_KEY)
                                .withValues()));
                for (int i = 0; i < MANY; i++) {
                    group.put("key" + i, value(i));
                }
                watches.forEach(Watch::close);
            });
            step("slow subscriber", () -> {
                Watch watch = store.watch(WatchOptions.defaults().withValues());
                AtomicInteger received = new AtomicInteger();
                watch.subscribe(new SlowSubscriber(received));
                putAll(async, MANY);
                watch.close();
            });
            step("slow listener", () -> {
                Subscription slow = store.onChange(new SlowListener());
                putAll(async, MANY);
                slow.close();
            });
            step("asynchronous puts", () -> putAll(async, 2 * MANY));
            step("asynchronous puts and gets", () -> {
                for (int i = 0; i < MANY; i++) {
                    CompletableFuture<?> unused = async.getAndPut("key" + i, value(i));
                }
                await(async.put("last", new byte[1]));
            });
            step("asynchronous changes of expiries", () -> {
                List<CompletableFuture<?>> futures = new ArrayList<>();
                keys().forEach(key -> futures.add(async.expire(key, Duration.ofDays(1))));
                futures.forEach(SmallHeapProgram::await);
            });
            step("a bulk put", () -> {
                Map<String, byte[]> values = new LinkedHashMap<>();
                for (int i = 0; i < 10; i++) {
                    values.put("key" + i, value(i));
                }
                group.putAll(values);
            });
            step("walks", () -> {
                require(MANY
                        <= group.entries(KeyRange.all())
                                .filter(entry -> entry.value().length == SIZE)
                                .count());
                require(MANY <= group.keys(KeyRange.all()).count());
                require(!group.page(KeyRange.all(), null, 10).isEmpty());
                try (Watch watch = store.watch(
                        WatchOptions.defaults().ofGroup("group").withExisting().withValues())) {
                    int existing = 0;
                    while (watch.poll(Duration.ofSeconds(30)).orElseThrow() instanceof WatchSignal.Existing) {
                        existing++;
                    }
                    require(existing >= MANY);
                }
            });
            Path export = file.resolveSibling("export.jsonl");
            step("export and import", () -> {
                StoreExport.of(store).group("group").toFile(export);
                StoreImport.into(store).replaceExisting(true).fromFile(export);
                Files.delete(export);
            });
            step("backup", () -> {
                Path copy = file.resolveSibling("copy.db");
                store.backup(copy);
                Files.delete(copy);
            });
            step("changes of a range", () -> {
                require(group.expireAll(KeyRange.all(), Expiry.after(Duration.ofDays(1))) >= MANY);
                require(group.expireAll(keys().subList(0, 10), Expiry.after(Duration.ofDays(2))) == 10);
            });
            step("asynchronous deletions", () -> {
                CountDownLatch queued = new CountDownLatch(1);
                CountDownLatch begun = new CountDownLatch(1);
                CompletableFuture<Void> holding = CompletableFuture.runAsync(() -> store.transact(transaction -> {
                    begun.countDown();
                    awaitQuietly(queued); // so that they share a commit
                    return true;
                }));
                awaitQuietly(begun);
                List<CompletableFuture<Boolean>> futures = new ArrayList<>();
                keys().forEach(key -> futures.add(async.delete(key)));
                queued.countDown();
                await(holding);
                futures.forEach(SmallHeapProgram::await);
            });
            putAll(async, MANY);
            step("a deletion of many", () -> require(group.deleteAll(keys().subList(0, 10)) == 10));
            putAll(async, MANY);
            step("a deletion of a group", () -> require(group.clear() >= MANY));
            step("expiries with handlers and a retention", () -> {
                AtomicInteger handled = new AtomicInteger();
                store.onExpired("subscriber", "group", Codec.bytes(), entry -> {
                    require(entry.value().length == SIZE);
                    handled.incrementAndGet();
                    LockSupport.parkNanos(1_000_000);
                });
                for (int i = 0; i < MANY; i++) {
                    CompletableFuture<?> unused = async.put("key" + i, value(i), SOON);
                }
                await(async.put("last", new byte[1]));
                store.purgeExpired();
                while (handled.get() < MANY) {
                    LockSupport.parkNanos(1_000_000);
                }
                require(store.expired(Instant.EPOCH, Instant.now()).count() >= MANY);
            });
            step("history", () -> {
                Group<String> small = store.group("g".repeat(900));
                Watch first = store.watch(WatchOptions.defaults().withCapacity(30_000));
                for (int i = 0; i < 60; i++) {
                    Map<String, String> values = new LinkedHashMap<>();
                    for (int j = 0; j < 1_000; j++) {
                        values.put("k".repeat(900) + i + "-" + j, "");
                    }
                    small.putAll(values);
                }
                first.close();
                require(
                        store.watch(WatchOptions.defaults().resumingAfter(1))
                                        .poll()
                                        .orElseThrow()
                                instanceof WatchSignal.Gap);
            });
        }
        System.out.println("end");
    }

    private static void putAll(AsyncGroup<byte[]> async, int count) {
        for (int i = 0; i < count; i++) {
            CompletableFuture<?> unused = async.put("key" + i % MANY, value(i));
        }
        await(async.put("last", new byte[1]));
    }

    private static <T> T await(CompletableFuture<T> future) {
        return future.join();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void require(boolean condition) {
        if (!condition) {
            throw new AssertionError("This is not as it should be");
        }
    }

    private static final class SlowListener implements StoreListener {
        @Override
        public void onEvent(StoreEvent event) {
            LockSupport.parkNanos(1_000_000);
        }

        @Override
        public boolean wantsValues() {
            return true;
        }
    }

    private record SlowSubscriber(AtomicInteger received) implements Flow.Subscriber<WatchSignal> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(WatchSignal signal) {
            received.incrementAndGet();
            LockSupport.parkNanos(20_000_000);
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onComplete() {}
    }
}
