package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.ttlstore.AsyncCounters;
import dev.ttlstore.AsyncGroup;
import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.StoreClosedException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Asynchronous writes that make a value of the one before, or change a group as a whole. */
abstract class AsyncChangeContract extends ContractArea {

    private AsyncGroup<String> async() {
        return group().async();
    }

    private AsyncCounters counters() {
        return store().counters("counters").async();
    }

    private static Throwable failure(Future<?> future) {
        try {
            future.get();
            throw new AssertionError("The future has not failed");
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @Promise(2)
    void anUpdateMakesANewValueOfTheOldAndKeepsTheExpiry() {
        group().put("key", "a", Duration.ofMillis(10));
        assertThat(Threads.get(async().update("key", value -> value + "b"))).contains("ab");
        assertThat(group().entry("key")).map(Entry::ttl).contains(Duration.ofMillis(10));
        assertThat(Threads.get(async().update("missing", value -> value + "b"))).isEmpty();
        advanceMillis(10);
        assertThat(Threads.get(async().update("key", value -> value + "b"))).isEmpty();
    }

    @Test
    @Promise(10)
    void updatesThatComeTogetherLoseNothing() {
        group().put("key", "");
        List<CompletableFuture<Optional<String>>> updates = Stream.generate(
                        () -> async().update("key", value -> value + "x"))
                .limit(200)
                .toList();
        updates.forEach(Threads::get);
        assertThat(group().get("key")).contains("x".repeat(200));
    }

    @Test
    void whatAnUpdateThrowsComesThroughItsFutureAndChangesNothing() {
        group().put("key", "a");
        IllegalStateException thrown = new IllegalStateException("on purpose");
        assertThat(failure(async().update("key", value -> {
                    throw thrown;
                })))
                .isSameAs(thrown);
        assertThat(failure(async().update("key", value -> nothing()))).isInstanceOf(NullPointerException.class);
        assertThat(failure(async().update("", value -> value))).isInstanceOf(IllegalArgumentException.class);
        assertThat(group().get("key")).contains("a");
    }

    @Test
    @Promise(13)
    void aGroupIsClearedAtOnce() {
        group().put("a", "1");
        group().put("b", "2");
        Recorder recorder = record();
        assertThat(Threads.get(async().clear())).isEqualTo(2);
        assertThat(group().count()).isZero();
        assertThat(recorder.events()).singleElement().isInstanceOf(GroupDeleted.class);
    }

    @Test
    @Promise({2, 10})
    void incrementsThatComeTogetherLoseNothingAndKeepTheExpiry() {
        List<CompletableFuture<Long>> increments = Stream.generate(
                        () -> counters().increment("key", 2, Duration.ofMillis(10)))
                .limit(500)
                .toList();
        increments.forEach(Threads::get);
        assertThat(Threads.get(counters().increment("key"))).isEqualTo(1_001);
        assertThat(Threads.get(counters().increment("key", -1))).isEqualTo(1_000);
        assertThat(store().counters("counters").entry("key")).map(Entry::ttl).contains(Duration.ofMillis(10));
        advanceMillis(10);
        assertThat(Threads.get(counters().increment("key"))).isOne();
    }

    @Test
    void anIncrementThatCannotBeMadeIsRefusedThroughItsFuture() {
        store().counters("counters").put("full", Long.MAX_VALUE);
        store().group("counters").put("text", "no number");
        assertThat(failure(counters().increment("full"))).isInstanceOf(ArithmeticException.class);
        assertThat(failure(counters().increment("text"))).isInstanceOf(CodecException.class);
        assertThat(failure(counters().increment("key", 1, Duration.ZERO))).isInstanceOf(IllegalArgumentException.class);
        assertThat(store().counters("counters").get("full")).contains(Long.MAX_VALUE);
        assertThat(store().counters("counters").contains("key")).isFalse();
    }

    @Test
    @Promise(2)
    void everyWriteTakesAnExpiry() {
        Instant end = clock.instant().plusSeconds(7);
        Expiry expiry = Expiry.at(end);
        AsyncGroup<String> group = async();
        Threads.get(group.putIfAbsent("absent", "value", expiry));
        for (String key : List.of("replaced", "present", "swapped", "got")) {
            group().put(key, "value");
        }
        long version = group().entry("swapped").orElseThrow().version();
        assertThat(Threads.get(group.replace("replaced", "value", "new", expiry)))
                .isPresent();
        assertThat(Threads.get(group.replaceVersion("swapped", version, "new", expiry)))
                .isPresent();
        assertThat(Threads.get(group.putIfPresent("present", "new", expiry))).isPresent();
        assertThat(Threads.get(group.getAndPut("got", "new", expiry))).contains("value");
        assertThat(Threads.get(group.getAndPutIfAbsent("other", "new", expiry))).isEmpty();
        Threads.get(counters().increment("count", 5, expiry));
        assertThat(group().entries()).hasSize(6).allSatisfy(entry -> assertThat(entry.expiresAt())
                .isEqualTo(end));
        assertThat(store().group("counters").entry("count").orElseThrow().expiresAt())
                .isEqualTo(end);
    }

    @Test
    void readingAndRenewingCountsAsARead() {
        group().put("key", "value");
        Duration day = Duration.ofDays(1);
        assertThat(Threads.get(async().getAndExpire("key", day))).contains("value");
        assertThat(Threads.get(async().getAndExpire("missing", Expiry.after(day))))
                .isEmpty();
        Awaitility.await().untilAsserted(() -> {
            assertThat(store().activity().entries().hits()).isEqualTo(1);
            assertThat(store().activity().entries().misses()).isEqualTo(1);
        });
    }

    @Test
    @Promise(22)
    void aClosedStoreRefusesThroughTheFuture() {
        AsyncGroup<String> group = async();
        AsyncCounters counters = counters();
        store().close();
        assertThat(List.of(
                        failure(group.update("key", value -> value)),
                        failure(group.updateOrDelete("key", Optional::of)),
                        failure(group.getAndPut("key", "value")),
                        failure(group.getAndPutIfAbsent("key", "value")),
                        failure(group.putIfPresent("key", "value")),
                        failure(group.getAndExpire("key", Duration.ofDays(1))),
                        failure(group.expire("key", Expiry.never())),
                        failure(group.expireNow("key")),
                        failure(group.deleteAll(List.of("key"))),
                        failure(group.expireAll(List.of("key"), Expiry.now())),
                        failure(group.clear()),
                        failure(counters.increment("key")),
                        failure(counters.increment("key", 1)),
                        failure(counters.increment("key", 1, Duration.ofDays(1)))))
                .allSatisfy(cause -> assertThat(cause).isInstanceOf(StoreClosedException.class));
    }

    @Test
    @Promise(8)
    void aTransactionHasNone() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> store().transact(tx -> tx.counters("counters").async()));
    }
}
