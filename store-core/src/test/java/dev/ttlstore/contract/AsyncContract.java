package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.AsyncGroup;
import dev.ttlstore.Codec;
import dev.ttlstore.Entry;
import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.ValueTooLargeException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Writes whose callers don't wait. */
@Promise(8)
abstract class AsyncContract extends ContractArea {

    private static final int MANY = Effort.of(300, 1_000);

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Instant LATER = MovableClock.START.plusSeconds(60);
    private static final Instant START_AND_HOUR = MovableClock.START.plus(HOUR);

    private AsyncGroup<String> async() {
        return group().async();
    }

    @Test
    void everyWayToPutPuts() {
        done(async().put("a", "1"));
        done(async().put("b", "2", HOUR));
        done(async().put("c", "3", LATER));
        done(async().putAll(Map.of("d", "4", "e", "5")));
        done(async().putAll(Map.of("f", "6"), HOUR));
        assertThat(group().getAll().values()).containsExactly("1", "2", "3", "4", "5", "6");
        assertThat(expiries()).containsExactly(null, START_AND_HOUR, LATER, null, null, START_AND_HOUR);
    }

    @Test
    void anAddedValueIsUnderAFreshKey() {
        String first = Threads.get(async().add("first"));
        String second = Threads.get(async().add("second", HOUR));
        assertThat(first).matches("[A-Za-z0-9_-]{24}").isNotEqualTo(second);
        assertThat(group().getAll()).containsOnly(Map.entry(first, "first"), Map.entry(second, "second"));
        assertThat(group().entry(second).orElseThrow().ttl()).isEqualTo(HOUR);
    }

    @Test
    @Promise(24)
    void noMoreEntriesAreLoadedForOneCommitThanHaveRoomInMemory() {
        Group<byte[]> group = store().group("large", Codec.bytes());
        byte[] large = new byte[1_000_000];
        for (int i = 0; i < 18; i++) {
            group.put("key" + i, large);
        }
        CountDownLatch queued = new CountDownLatch(1);
        Waiter<Boolean> holding = Waiter.start(() -> store().transact(transaction -> {
            Threads.await(queued);
            return true;
        }));
        long before = store().activity().commits();
        List<CompletableFuture<Optional<byte[]>>> futures = new ArrayList<>();
        for (int i = 0; i < 18; i++) {
            futures.add(group.async().take("key" + i));
        }
        queued.countDown();
        assertThat(holding.get()).isTrue();
        futures.forEach(future -> assertThat(Threads.get(future)).isPresent());
        assertThat(store().activity().commits() - before).isBetween(3L, 10L);
        assertThat(group.count()).isZero();
    }

    @Test
    @Promise(11)
    void dependentsThatBlockDelayNeitherOtherStoresNorTheirOwn() {
        CountDownLatch attached = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Subscription holding = store().onChange(event -> Threads.await(attached));
        try (Store other = Store.inMemory()) {
            for (int i = 0; i < 40; i++) {
                CompletableFuture<Void> unused = async().put("key" + i, "value").thenRun(() -> Threads.await(release));
            }
            attached.countDown();
            holding.close();
            done(other.group("group").async().put("key", "value"));
            done(async().put("key", "value"));
        } finally {
            attached.countDown();
            release.countDown();
        }
    }

    @Test
    @Promise(11)
    void futuresCompleteInTheExecutorOfTheApplicationAlsoIfItThrows() {
        AtomicBoolean full = new AtomicBoolean();
        Store given = open(settings().futureExecutor(task -> {
            if (full.get()) {
                throw new RejectedExecutionException("full");
            }
            new Thread(task, "given").start();
        }));
        AsyncGroup<String> async = given.group("group").async();
        full.set(true);
        done(async.put("key", "value"));
        full.set(false);
        CompletableFuture<String> thread = async.put("key", "value")
                .thenApply(version -> Thread.currentThread().getName());
        assertThat(Threads.get(thread)).isIn("given", Thread.currentThread().getName());
    }

    @Test
    void aConditionalWriteTellsWhetherItWon() {
        assertThat(Threads.get(async().putIfAbsent("key", "1"))).isPresent();
        assertThat(Threads.get(async().putIfAbsent("key", "2"))).isEmpty();
        assertThat(Threads.get(async().putIfAbsent("other", "1", HOUR))).isPresent();
        assertThat(Threads.get(async().replace("key", "2", "3"))).isEmpty();
        assertThat(Threads.get(async().replace("key", "1", "3"))).isPresent();
        assertThat(Threads.get(async().replace("key", "3", "4", HOUR))).isPresent();
        assertThat(Threads.get(async().replaceVersion("key", 0, "5"))).isEmpty();
        assertThat(Threads.get(async().replaceVersion("key", version(), "5"))).isPresent();
        assertThat(group().entry("key").orElseThrow().expiresAt()).isNull();
        assertThat(Threads.get(async().replaceVersion("key", version(), "6", HOUR)))
                .isPresent();
        assertThat(expiries()).containsExactly(START_AND_HOUR, START_AND_HOUR);
        assertThat(Threads.get(async().delete("key", "5"))).isFalse();
        assertThat(Threads.get(async().delete("key", "6"))).isTrue();
        assertThat(Threads.get(async().delete("key"))).isFalse();
        assertThat(Threads.get(async().delete("other"))).isTrue();
        group().put("key", "value");
        assertThat(Threads.get(async().deleteVersion("key", 0))).isFalse();
        assertThat(Threads.get(async().deleteVersion("key", version()))).isTrue();
        assertThat(group().count()).isZero();
    }

    @Test
    @Promise(10)
    void aTakenValueIsUsedUp() {
        group().put("key", "value");
        assertThat(Threads.get(async().take("key"))).contains("value");
        assertThat(Threads.get(async().take("key"))).isEmpty();
        for (int round = 0; round < 10; round++) {
            group().put("key", "value");
            List<Optional<String>> taken = Threads.together(8, thread -> Threads.get(async().take("key")));
            assertThat(taken.stream().flatMap(Optional::stream)).containsExactly("value");
        }
    }

    @Test
    void anExpiryIsSetAndTakenAway() {
        group().put("key", "value");
        assertThat(Threads.get(async().expire("key", HOUR))).isTrue();
        assertThat(expiries()).containsExactly(START_AND_HOUR);
        assertThat(Threads.get(async().expire("key", LATER))).isTrue();
        assertThat(expiries()).containsExactly(LATER);
        assertThat(Threads.get(async().persist("key"))).isTrue();
        assertThat(expiries()).containsOnlyNulls();
        assertThat(Threads.get(async().expire("missing", HOUR))).isFalse();
        assertThat(Threads.get(async().expire("missing", LATER))).isFalse();
        assertThat(Threads.get(async().persist("missing"))).isFalse();
    }

    @Test
    @Promise(12)
    void whatTheBlockingMethodRefusesIsFoundInTheFuture() {
        open(settings().maxValueSize(10));
        TextGroup group = group();
        AsyncGroup<String> async = async();
        fails(() -> group.put("", "value"), async.put("", "value"));
        fails(() -> group.put(nothing(), "value"), async.put(nothing(), "value"));
        fails(() -> group.put("key", nothing()), async.put("key", nothing()));
        fails(() -> group.put("key", "12345678901"), async.put("key", "12345678901"));
        fails(() -> group.put("key", "\uD83D"), async.put("key", "\uD83D"));
        fails(() -> group.put("key", "value", Duration.ZERO), async.put("key", "value", Duration.ZERO));
        fails(() -> group.put("key", "value", Instant.MAX), async.put("key", "value", Instant.MAX));
        fails(() -> group.putAll(Map.of("", "value")), async.putAll(Map.of("", "value")));
        fails(() -> group.putAll(nothing()), async.putAll(nothing()));
        fails(() -> group.putAll(Map.of(), Duration.ZERO), async.putAll(Map.of(), Duration.ZERO));
        fails(() -> group.putIfAbsent("", "value"), async.putIfAbsent("", "value"));
        fails(() -> group.putIfAbsent("a", "b", Duration.ZERO), async.putIfAbsent("a", "b", Duration.ZERO));
        fails(() -> group.add(nothing()), async.add(nothing()));
        fails(() -> group.add("value", Duration.ZERO), async.add("value", Duration.ZERO));
        fails(() -> group.replace("key", nothing(), "value"), async.replace("key", nothing(), "value"));
        fails(() -> group.replace("a", "b", "c", Duration.ZERO), async.replace("a", "b", "c", Duration.ZERO));
        fails(() -> group.replaceVersion("", 1, "value"), async.replaceVersion("", 1, "value"));
        fails(() -> group.replaceVersion("a", 1, "b", Duration.ZERO), async.replaceVersion("a", 1, "b", Duration.ZERO));
        fails(() -> group.delete(""), async.delete(""));
        fails(() -> group.delete("key", nothing()), async.delete("key", nothing()));
        fails(() -> group.deleteVersion("", 1), async.deleteVersion("", 1));
        fails(() -> group.take(""), async.take(""));
        fails(() -> group.take(nothing()), async.take(nothing()));
        fails(() -> group.expire("key", Duration.ZERO), async.expire("key", Duration.ZERO));
        fails(() -> group.expire("key", Instant.MAX), async.expire("key", Instant.MAX));
        fails(() -> group.persist(""), async.persist(""));
        assertThat(group.count()).isZero();
        assertThatExceptionOfType(ValueTooLargeException.class).isThrownBy(() -> done(async.put("key", "12345678901")));
    }

    @Test
    void aValueThatCannotBeReadIsNotLost() {
        group().put("key", "no number");
        Group<Long> numbers = store().group("group", Long.class);
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> Threads.get(numbers.async().take("key")));
        assertThat(group().get("key")).contains("no number");
    }

    @Test
    @Promise(14)
    void aFutureIsCompletedWhenTheListenersHaveBeenTold() {
        Recorder recorder = record();
        for (int i = 0; i < 200; i++) {
            done(async().put("key" + i, "value"));
            assertThat(recorder.events()).hasSize(i + 1);
        }
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        store().onChange(event -> {
            inside.countDown();
            Threads.await(release);
        });
        CompletableFuture<OptionalLong> put = async().putIfAbsent("slow", "value");
        Threads.await(inside);
        assertThat(put).isNotDone();
        assertThat(group().get("slow")).contains("value");
        release.countDown();
        assertThat(Threads.get(put)).isPresent();
    }

    @Test
    void theWritesOfOneThreadAreMadeInItsOrder() {
        for (int round = 0; round < 50; round++) {
            CompletableFuture<?> first = async().put("key", "first");
            CompletableFuture<?> second = async().put("key", "second", HOUR);
            CompletableFuture<OptionalLong> replaced = async().replace("key", "second", "third");
            CompletableFuture<Optional<String>> taken = async().take("key");
            CompletableFuture<OptionalLong> absent = async().putIfAbsent("key", "fourth");
            CompletableFuture<Boolean> deleted = async().delete("key", "fourth");
            assertThat(Threads.get(deleted)).isTrue();
            assertThat(Threads.get(absent)).isPresent();
            assertThat(Threads.get(taken)).contains("third");
            assertThat(Threads.get(replaced)).isPresent();
            done(first);
            done(second);
        }
    }

    @Test
    void aBlockingWriteComesBehindThoseThatItsThreadBegan() {
        for (int i = 0; i < 100; i++) {
            CompletableFuture<?> begun = async().put("key", "begun before");
            group().put("key", "blocking");
            assertThat(group().get("key")).contains("blocking");
            done(begun);
        }
    }

    @Test
    void tenThousandPutsOfOneThreadAreAllThere() {
        CompletableFuture<?>[] futures = IntStream.range(0, 10_000)
                .mapToObj(i -> async().put("key" + i, "value" + i))
                .toArray(CompletableFuture<?>[]::new);
        done(CompletableFuture.allOf(futures));
        assertThat(group().count()).isEqualTo(10_000);
        assertThat(group().get("key9999")).contains("value9999");
        assertThat(group().entries().map(Entry::version)).doesNotHaveDuplicates();
    }

    @Test
    void whatComesAfterAWriteMayWaitForAnother() {
        List<CompletableFuture<Boolean>> chains = new ArrayList<>();
        CompletableFuture<OptionalLong> last = async().putIfAbsent("last", "value");
        for (int i = 0; i < MANY; i++) {
            String key = "key" + i;
            chains.add(async().putIfAbsent(key, "value").thenApply(put -> {
                group().put(key + " blocking", "value");
                return put.isPresent()
                        && Threads.get(async().delete(key))
                        && Threads.get(last).isPresent();
            }));
        }
        assertThat(chains.stream().map(Threads::get)).containsOnly(true);
        assertThat(group().count()).isEqualTo(MANY + 1);
    }

    @Test
    void aWriteOfACancelledFutureIsMade() {
        for (int i = 0; i < 20; i++) {
            async().putIfAbsent("key" + i, "value").cancel(true);
        }
        group().put("last", "value");
        assertThat(group().count()).isEqualTo(21);
    }

    @Test
    @Promise(22)
    void afterTheClosingEveryFutureFails() {
        AsyncGroup<String> async = async();
        store().close();
        List<CompletableFuture<?>> futures = List.of(
                async.put("key", "value"),
                async.put("key", "value", HOUR),
                async.put("key", "value", LATER),
                async.putAll(Map.of("key", "value")),
                async.putAll(Map.of("key", "value"), HOUR),
                async.putAll(Map.of()),
                async.putIfAbsent("key", "value"),
                async.putIfAbsent("key", "value", HOUR),
                async.add("value"),
                async.add("value", HOUR),
                async.replace("key", "value", "value"),
                async.replace("key", "value", "value", HOUR),
                async.replaceVersion("key", 1, "value"),
                async.replaceVersion("key", 1, "value", HOUR),
                async.delete("key"),
                async.delete("key", "value"),
                async.deleteVersion("key", 1),
                async.take("key"),
                async.expire("key", HOUR),
                async.expire("key", LATER),
                async.persist("key"));
        assertThat(futures).allSatisfy(future -> assertThatExceptionOfType(StoreClosedException.class)
                .isThrownBy(() -> Threads.get(future)));
    }

    @Test
    @Promise(22)
    void whatWasAcceptedBeforeTheClosingIsCompleted() {
        for (int round = 0; round < Effort.of(2, 5); round++) {
            Store store = reopen();
            Recorder recorder = record();
            AsyncGroup<String> async = store.group("closing" + round).async();
            List<CompletableFuture<OptionalLong>> futures = IntStream.range(0, 2_000)
                    .mapToObj(i -> async.putIfAbsent(Integer.toString(i), "value"))
                    .toList();
            store.close();
            assertThat(futures.stream().map(Threads::get)).hasSize(2_000).allMatch(OptionalLong::isPresent);
            assertThat(recorder.events()).hasSize(2_000);
        }
    }

    @Test
    @Promise(22)
    void aFutureMeetsItsSuccessOrTheClosingAndNeverNothing() {
        Store store = store();
        AsyncGroup<String> async = async();
        List<List<CompletableFuture<OptionalLong>>> futures = Threads.together(4, thread -> {
            List<CompletableFuture<OptionalLong>> mine = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                mine.add(async.putIfAbsent(thread + "." + i, "value"));
                if (thread == 0 && i == 250) {
                    store.close();
                }
            }
            return mine;
        });
        assertThat(futures.stream().flatMap(List::stream)).allSatisfy(future -> {
            Throwable failure =
                    catchThrowable(() -> assertThat(Threads.get(future)).isPresent());
            if (failure != null) {
                assertThat(failure).isInstanceOf(StoreClosedException.class);
            }
        });
    }

    private List<@Nullable Instant> expiries() {
        List<@Nullable Instant> expiries = new ArrayList<>();
        group().entries().forEach(entry -> expiries.add(entry.expiresAt()));
        return expiries;
    }

    private long version() {
        return group().entry("key").orElseThrow().version();
    }

    private static void done(CompletableFuture<?> future) {
        Object unused = Threads.get(future);
    }

    private static void fails(Runnable blocking, CompletableFuture<?> future) {
        Throwable expected = catchThrowable(blocking::run);
        Throwable thrown = catchThrowable(() -> Threads.get(future));
        assertThat(expected).isNotNull();
        assertThat(thrown).hasSameClassAs(expected).hasMessage(expected.getMessage());
    }
}
