package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.ttlstore.AsyncGroup;
import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.TextGroup;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** Writes that answer: with the new version, with the value before, or with the value that they keep alive. */
@Promise(8)
abstract class ReadAndWriteContract extends ContractArea {

    private static final Duration HOUR = Duration.ofHours(1);

    private AsyncGroup<String> async() {
        return group().async();
    }

    private long version(String key) {
        return group().entry(key).orElseThrow().version();
    }

    @Test
    @Promise(9)
    void everyPutAnswersWithTheVersionThatItHasMade() {
        long first = group().put("key", "first");
        assertThat(version("key")).isEqualTo(first);
        long second = group().put("key", "second", HOUR);
        assertThat(version("key")).isEqualTo(second).isGreaterThan(first);
        OptionalLong third = group().replaceVersion("key", second, "third");
        assertThat(third).hasValue(version("key"));
        assertThat(group().replaceVersion("key", second, "fourth")).isEmpty();
        OptionalLong fourth = group().replace("key", "third", "fourth");
        assertThat(fourth).hasValue(version("key"));
        assertThat(group().replace("key", "third", "fifth")).isEmpty();
        assertThat(group().putIfPresent("key", "fifth")).hasValue(version("key"));
        assertThat(group().putIfPresent("missing", "value")).isEmpty();
        assertThat(group().putIfAbsent("new", "value")).hasValue(version("new"));
        assertThat(group().putIfAbsent("new", "other")).isEmpty();
        assertThat(group().get("new")).contains("value");
    }

    @Test
    @Promise({9, 10})
    void aLeaseIsRenewedAndReleasedByTheVersionsOfItsOwnWrites() {
        long version = group().putIfAbsent("lock", "mine", HOUR).orElseThrow();
        for (int i = 0; i < 3; i++) {
            version = group().replaceVersion("lock", version, "mine", HOUR).orElseThrow();
        }
        assertThat(group().deleteVersion("lock", version)).isTrue();
    }

    @Test
    @Promise(10)
    void ofManyCompareAndSetLoopsNoneLosesAnUpdate() {
        long start = group().put("key", "0");
        int updates = Effort.of(10, 25);
        Threads.together(8, thread -> {
            for (int i = 0; i < updates; i++) {
                OptionalLong put = OptionalLong.empty();
                while (put.isEmpty()) {
                    Entry<String> entry = group().entry("key").orElseThrow();
                    put = group().replaceVersion(
                                    "key", entry.version(), Integer.toString(Integer.parseInt(entry.value()) + 1));
                }
            }
            return thread;
        });
        assertThat(group().get("key")).contains(String.valueOf(8 * updates));
        assertThat(version("key")).isGreaterThan(start);
    }

    @Test
    void readAndRenewAnswersTheValueAndStartsTheTtlAnew() {
        long version = group().put("session", "value", Duration.ofMinutes(30));
        clock.advance(Duration.ofMinutes(29));
        assertThat(group().getAndExpire("session", Duration.ofMinutes(30))).contains("value");
        clock.advance(Duration.ofMinutes(29));
        assertThat(group().getAndExpire("session", Expiry.after(Duration.ofMinutes(30))))
                .contains("value");
        assertThat(version("session")).isEqualTo(version);
        clock.advance(Duration.ofMinutes(30));
        assertThat(group().getAndExpire("session", Duration.ofMinutes(30))).isEmpty();
        assertThat(group().getAndExpire("missing", HOUR)).isEmpty();
        assertThat(group().count()).isZero();
    }

    @Test
    void readAndRenewPublishesNothing() {
        group().put("session", "value", HOUR);
        Recorder recorder = record();
        group().getAndExpire("session", HOUR);
        assertThat(recorder.events()).isEmpty();
    }

    @Test
    @Promise(2)
    void readAndRenewCanShortenOrKeepForGood() {
        group().put("key", "value", HOUR);
        assertThat(group().getAndExpire("key", Expiry.never())).contains("value");
        assertThat(group().entry("key").orElseThrow().expiresAt()).isNull();
        assertThat(group().getAndExpire("key", Expiry.now())).contains("value");
        assertThat(group().contains("key")).isFalse();
    }

    @Test
    @Promise(2)
    void getAndPutAnswersTheValueBefore() {
        assertThat(group().getAndPut("key", "first")).isEmpty();
        assertThat(group().getAndPut("key", "second", HOUR)).contains("first");
        assertThat(group().entry("key").orElseThrow().ttl()).isEqualTo(HOUR);
        assertThat(group().getAndPut("key", "third", Expiry.keep())).contains("second");
        assertThat(group().entry("key").orElseThrow().ttl()).isEqualTo(HOUR);
        clock.advance(HOUR);
        assertThat(group().getAndPut("key", "fourth")).isEmpty();
        assertThat(group().get("key")).contains("fourth");
    }

    @Test
    @Promise(10)
    void ofManyGetAndPutsEachValueIsAnsweredOnce() {
        int threads = 16;
        List<Optional<String>> before =
                Threads.together(threads, thread -> group().getAndPut("key", Integer.toString(thread)));
        String last = group().get("key").orElseThrow();
        List<String> answered = before.stream().flatMap(Optional::stream).toList();
        assertThat(answered).hasSize(threads - 1).doesNotHaveDuplicates().doesNotContain(last);
    }

    @Test
    @Promise(10)
    void getAndPutIfAbsentAnswersTheValueThatIsThere() {
        assertThat(group().getAndPutIfAbsent("key", "first", HOUR)).isEmpty();
        assertThat(group().getAndPutIfAbsent("key", "second")).contains("first");
        assertThat(group().entry("key").orElseThrow().ttl()).isEqualTo(HOUR);
        clock.advance(HOUR);
        assertThat(group().getAndPutIfAbsent("key", "third")).isEmpty();
        List<Optional<String>> found =
                Threads.together(16, thread -> group().getAndPutIfAbsent("contended", "from " + thread));
        String winner = group().get("contended").orElseThrow();
        assertThat(found.stream().filter(Optional::isEmpty)).hasSize(1);
        assertThat(found.stream().flatMap(Optional::stream)).hasSize(15).containsOnly(winner);
    }

    @Test
    void anUpdateMayDelete() {
        group().put("stock", "2", HOUR);
        assertThat(group().updateOrDelete("stock", ReadAndWriteContract::oneLess))
                .contains("1");
        assertThat(group().entry("stock").orElseThrow().ttl()).isEqualTo(HOUR);
        Recorder recorder = record();
        assertThat(group().updateOrDelete("stock", ReadAndWriteContract::oneLess))
                .isEmpty();
        assertThat(group().updateOrDelete("stock", ReadAndWriteContract::oneLess))
                .isEmpty();
        assertThat(group().contains("stock")).isFalse();
        assertThat(recorder.events()).singleElement().isInstanceOf(EntryDeleted.class);
    }

    private static Optional<String> oneLess(String number) {
        int less = Integer.parseInt(number) - 1;
        return less == 0 ? Optional.empty() : Optional.of(Integer.toString(less));
    }

    @Test
    @Promise(10)
    void ofManyThatTakeOnePieceEachTheLastDeletes() {
        group().put("stock", "32");
        List<Optional<String>> left =
                Threads.together(32, thread -> group().updateOrDelete("stock", ReadAndWriteContract::oneLess));
        assertThat(left.stream().filter(Optional::isEmpty)).hasSize(1);
        assertThat(left.stream().flatMap(Optional::stream)).doesNotHaveDuplicates();
        assertThat(group().contains("stock")).isFalse();
    }

    @Test
    void aFunctionThatThrowsOrAnswersNullChangesNothing() {
        group().put("key", "value");
        assertThatIllegalStateException().isThrownBy(() -> group().updateOrDelete("key", value -> {
            throw new IllegalStateException("on purpose");
        }));
        assertThatNullPointerException()
                .isThrownBy(() -> group().updateOrDelete("key", value -> nothing()))
                .withMessageContaining("'change'");
        assertThatNullPointerException()
                .isThrownBy(() -> group().updateOrDelete("key", nothing()))
                .withMessageContaining("'change'");
        assertThat(group().get("key")).contains("value");
    }

    @Test
    @Promise(2)
    void aLoadedValueHasTheDefaultOfItsGroup() {
        AtomicInteger loads = new AtomicInteger();
        for (int i = 0; i < 2; i++) {
            assertThat(group().getOrPut("key", () -> "loaded " + loads.incrementAndGet()))
                    .isEqualTo("loaded 1");
        }
        assertThat(group().entry("key").orElseThrow().expiresAt()).isNull();
    }

    @Test
    void aTransactionReadsAndWritesInOneStep() {
        group().put("key", "first", HOUR);
        List<StoreEvent> events = record().events();
        long version = store().transact(tx -> {
            TextGroup inside = tx.group("group");
            assertThat(inside.getAndPut("key", "second", Expiry.keep())).contains("first");
            assertThat(inside.getAndExpire("key", Duration.ofMinutes(1))).contains("second");
            assertThat(inside.getAndPutIfAbsent("key", "third")).contains("second");
            assertThat(inside.getAndPutIfAbsent("new", "third")).isEmpty();
            assertThat(inside.updateOrDelete("new", value -> Optional.empty())).isEmpty();
            assertThat(inside.contains("new")).isFalse();
            long put = inside.put("key", "fourth", Expiry.keep());
            assertThat(inside.replaceVersion("key", put, "fifth", Expiry.keep()))
                    .isPresent();
            return inside.entry("key").orElseThrow().version();
        });
        assertThat(events).isEmpty();
        assertThat(group().entry("key").orElseThrow()).satisfies(entry -> {
            assertThat(entry.version()).isEqualTo(version);
            assertThat(entry.value()).isEqualTo("fifth");
            assertThat(entry.ttl()).isEqualTo(Duration.ofMinutes(1));
        });
    }

    @Test
    void theAsynchronousWritesAnswerTheSame() {
        long version = Threads.get(async().put("key", "first", Expiry.after(HOUR)));
        assertThat(version).isEqualTo(version("key"));
        assertThat(Threads.get(async().getAndPut("key", "second", Expiry.keep())))
                .contains("first");
        assertThat(Threads.get(async().getAndPut("new", "value", HOUR))).isEmpty();
        assertThat(Threads.get(async().getAndPut("new", "value 2"))).contains("value");
        assertThat(Threads.get(async().putIfPresent("key", "third"))).hasValue(version("key"));
        assertThat(Threads.get(async().putIfPresent("missing", "value", HOUR))).isEmpty();
        assertThat(Threads.get(async().putIfPresent("missing", "value", Expiry.never())))
                .isEmpty();
        assertThat(Threads.get(async().getAndPutIfAbsent("key", "fourth"))).contains("third");
        assertThat(Threads.get(async().getAndPutIfAbsent("absent", "value", HOUR)))
                .isEmpty();
        assertThat(Threads.get(async().getAndPutIfAbsent("absent", "other", Expiry.now())))
                .contains("value");
        assertThat(Threads.get(async().getAndExpire("key", HOUR))).contains("third");
        assertThat(group().entry("key").orElseThrow().ttl()).isEqualTo(HOUR);
        assertThat(Threads.get(async().getAndExpire("key", Expiry.never()))).contains("third");
        assertThat(Threads.get(async().updateOrDelete("key", value -> Optional.of(value + "!"))))
                .contains("third!");
        assertThat(Threads.get(async().updateOrDelete("key", value -> Optional.empty())))
                .isEmpty();
        assertThat(group().contains("key")).isFalse();
        assertThat(Threads.get(async().expireNow("new"))).isTrue();
        assertThat(Threads.get(async().expire("absent", Expiry.now()))).isTrue();
        assertThat(Threads.get(async().add("value", Expiry.after(HOUR)))).isNotEmpty();
        assertThat(group().count()).isEqualTo(1);
    }

    @Test
    void anAsynchronousReadAndWriteKeepsItsPlaceAmongTheWritesOfItsThread() {
        for (int round = 0; round < 50; round++) {
            var first = async().put("key", "first");
            var before = async().getAndPut("key", "second");
            var present = async().getAndPutIfAbsent("key", "not put");
            var renewed = async().getAndExpire("key", HOUR);
            var last = async().put("key", "last", Expiry.keep());
            assertThat(Threads.get(last)).isGreaterThan(Threads.get(first));
            assertThat(Threads.get(before)).contains("first");
            assertThat(Threads.get(present)).contains("second");
            assertThat(Threads.get(renewed)).contains("second");
            assertThat(group().entry("key").orElseThrow().ttl()).isEqualTo(HOUR);
            assertThat(group().get("key")).contains("last");
        }
    }

    @Test
    void whatIsWrongWithAnAsynchronousWriteComesWithItsFuture() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> Threads.get(async().getAndExpire("key", Duration.ZERO)));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> Threads.get(async().getAndPut("", "value")));
        assertThatNullPointerException().isThrownBy(() -> Threads.get(async().getAndPut("key", nothing())));
        assertThatNullPointerException().isThrownBy(() -> Threads.get(async().updateOrDelete("key", nothing())));
    }

    @Test
    void anOverwriteIsNotACreation() {
        group().put("key", "value");
        Recorder recorder = record();
        group().getAndPut("key", "other");
        group().putIfPresent("key", "other");
        group().getAndPut("new", "value");
        assertThat(recorder.events(EntryPut.class))
                .extracting(EntryPut::created)
                .containsExactly(false, false, true);
        assertThat(Objects.requireNonNull(group().entry("key").orElseThrow().createdAt()))
                .isEqualTo(MovableClock.START);
        assertThat(IntStream.range(0, 3).mapToObj(i -> recorder.events().get(i).sequence()))
                .isSorted();
    }
}
