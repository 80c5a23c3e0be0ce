package dev.ttlstore.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.ttlstore.AsyncGroup;
import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.KeyRange;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.internal.access.BulkThread;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/** Writes to many entries whose callers don't wait: their place among other writes, their thread, and their end. */
abstract class AsyncBulkContract extends ContractArea {

    private static final Duration HOUR = Duration.ofHours(1);

    /** Each of them, on all entries. */
    private static final List<Function<AsyncGroup<String>, CompletableFuture<Long>>> WRITES = List.of(
            async -> async.clear(KeyRange.all()),
            async -> async.sweep(Duration.ZERO),
            async -> async.expireAll(KeyRange.all(), Expiry.now()),
            async -> async.expireAll(Expiry.now()),
            async -> async.expireAllNow());

    private AsyncGroup<String> async() {
        return group().async();
    }

    private static List<Thread> bulkThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(BulkThread.NAME))
                .toList();
    }

    @Test
    @Promise(8)
    void aTransactionOfTheSameThreadRefusesThem() {
        fill(3);
        AsyncGroup<String> async = async();
        List<Function<AsyncGroup<String>, CompletableFuture<Long>>> all = new ArrayList<>(WRITES);
        all.add(AsyncGroup::clear);
        all.add(group -> group.deleteAll(List.of("key0")));
        all.add(group -> group.expireAll(List.of("key0"), Expiry.now()));
        for (Function<AsyncGroup<String>, CompletableFuture<Long>> write : all) {
            Throwable put = store().transact(tx -> failure(async.put("key", "value")));
            store().transactWithoutResult(
                            tx -> assertThat(write.apply(async)).isDone().satisfies(future -> assertThat(
                                            failure(future))
                                    .isInstanceOf(IllegalStateException.class)
                                    .hasSameClassAs(put)
                                    .hasMessage(put.getMessage())));
        }
        assertThat(group().count()).isEqualTo(3);
    }

    private static Throwable failure(Future<?> future) {
        return catchThrowable(() -> Threads.get(future));
    }

    @Test
    @Promise(7)
    void theExpiryOfAllEntriesIsSet() {
        fill(600);
        assertThat(Threads.get(async().expireAll(HOUR))).isEqualTo(600);
        assertThat(group().entries().map(Entry::ttl)).containsOnly(HOUR);
        assertThat(Threads.get(async().expireAll(Expiry.never()))).isEqualTo(600);
        assertThat(group().entries().map(Entry::ttl)).containsOnlyNulls();
        assertThat(Threads.get(async().expireAllNow())).isEqualTo(600);
        assertThat(group().count()).isZero();
    }

    @Test
    @Promise(2)
    void whatTheBlockingMethodRefusesIsFoundInTheFuture() {
        fill(1);
        KeyRange noRange = nothing();
        Duration noTtl = nothing();
        Expiry noExpiry = nothing();
        fails(() -> group().expireAll(Duration.ZERO), async().expireAll(Duration.ZERO));
        fails(() -> group().expireAll(noTtl), async().expireAll(noTtl));
        fails(() -> group().expireAll(noExpiry), async().expireAll(noExpiry));
        fails(() -> group().expireAll(noRange, Expiry.now()), async().expireAll(noRange, Expiry.now()));
        fails(() -> group().clear(nothing()), async().clear(nothing()));
        fails(() -> group().sweep(nothing()), async().sweep(nothing()));
        fails(() -> group().sweep(HOUR.negated()), async().sweep(HOUR.negated()));
        assertThat(group().entries().map(Entry::ttl)).containsOnlyNulls();
    }

    private static void fails(Runnable blocking, CompletableFuture<?> future) {
        Throwable expected = catchThrowable(blocking::run);
        assertThat(expected).isNotNull();
        assertThat(failure(future)).hasSameClassAs(expected).hasMessage(expected.getMessage());
    }

    @Test
    void theyComeAfterTheWritesThatTheirCallerBeganBefore() {
        for (Function<AsyncGroup<String>, CompletableFuture<Long>> write : WRITES) {
            CountDownLatch release = new CountDownLatch(1);
            Future<Boolean> transaction = holdUpCommits(release);
            CompletableFuture<Long> put = async().put("key", "value");
            CompletableFuture<Long> changed = write.apply(async());
            await().until(() -> changed.isDone() || bulkThreads().stream().anyMatch(Threads::isWaiting));
            release.countDown();
            assertThat(Threads.get(changed)).isEqualTo(1);
            assertThat(group().count()).isZero();
            assertThat(Threads.get(put)).isPositive();
            assertThat(Threads.get(transaction)).isTrue();
        }
    }

    @Test
    void whatIsComposedComesAfterThem() {
        for (int round = 0; round < 20; round++) {
            CompletableFuture<Long> first = async().put("key", "old");
            CompletableFuture<Long> put =
                    async().clear(KeyRange.prefix("k")).thenCompose(cleared -> async().put("key", "new"));
            assertThat(Threads.get(put)).isPositive();
            assertThat(group().get("key")).contains("new");
            assertThat(Threads.get(first)).isPositive();
        }
    }

    @Test
    void theyComeOneAfterAnother() {
        for (int round = 0; round < 5; round++) {
            fill(600);
            CompletableFuture<Long> expiring = async().expireAll(KeyRange.all(), Expiry.after(HOUR));
            CompletableFuture<Long> cleared = async().clear(KeyRange.prefix("key1"));
            CompletableFuture<Long> swept = async().sweep(Duration.ZERO);
            CompletableFuture<Long> left = async().clear(KeyRange.all());
            assertThat(Threads.get(left)).isZero();
            assertThat(Threads.get(swept)).isEqualTo(489);
            assertThat(Threads.get(cleared)).isEqualTo(111);
            assertThat(Threads.get(expiring)).isEqualTo(600);
        }
    }

    @Test
    void howeverManyWaitTheyShareAThread() {
        fill(3);
        int before = bulkThreads().size();
        CountDownLatch release = new CountDownLatch(1);
        Future<Boolean> transaction = holdUpCommits(release);
        List<CompletableFuture<Long>> futures = Stream.generate(() -> WRITES)
                .limit(20)
                .flatMap(List::stream)
                .map(write -> write.apply(async()))
                .toList();
        await().until(() -> bulkThreads().stream().anyMatch(Threads::isWaiting));
        assertThat(bulkThreads()).hasSizeLessThanOrEqualTo(before + 1);
        release.countDown();
        assertThat(futures.stream().mapToLong(Threads::get).sum()).isEqualTo(3);
        assertThat(Threads.get(transaction)).isTrue();
    }

    @Test
    @Promise(22)
    void closingTheStoreEndsThemInTime() {
        open(settings().closeTimeout(Duration.ofMillis(200)));
        fill(600);
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        store().onChange(event -> {
            if (event instanceof EntryDeleted) {
                told.countDown();
                Threads.await(release);
            }
        });
        List<CompletableFuture<Long>> futures =
                Stream.generate(() -> async().clear(KeyRange.all())).limit(10).toList();
        Threads.await(told);
        store().close();
        assertThat(futures).allSatisfy(future -> assertThat(future)
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(StoreClosedException.class));
        release.countDown();
    }

    @Test
    @Promise(22)
    void closingTheStoreBehindATransactionEndsThemInTime() {
        open(settings().closeTimeout(Duration.ofMillis(200)));
        CountDownLatch release = new CountDownLatch(1);
        Future<Boolean> transaction = holdUpCommits(release);
        List<CompletableFuture<Long>> futures =
                WRITES.stream().map(write -> write.apply(async())).toList();
        store().close();
        assertThat(futures).allSatisfy(future -> assertThat(failure(future)).isInstanceOf(StoreClosedException.class));
        release.countDown();
        assertThat(failure(transaction)).isInstanceOf(StoreClosedException.class);
    }

    @Test
    @Promise(22)
    void afterTheClosingTheirFuturesFail() {
        AsyncGroup<String> async = async();
        store().close();
        for (Function<AsyncGroup<String>, CompletableFuture<Long>> write : WRITES) {
            assertThat(failure(write.apply(async))).isInstanceOf(StoreClosedException.class);
        }
    }
}
