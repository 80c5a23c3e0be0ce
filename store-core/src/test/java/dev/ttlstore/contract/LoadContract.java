package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.event.EntryPut;
import dev.ttlstore.exception.StoreClosedException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.awaitility.Awaitility.await;

/** Values that are read, or loaded where they are missing. */
@Promise(10)
abstract class LoadContract extends ContractArea {

    private static final Duration HOUR = Duration.ofHours(1);

    @ParameterizedTest
    @EnumSource
    @Promise({1, 2})
    void aValueIsLoadedOnlyWhereNoLiveEntryStands(Standing standing) {
        standing.prepare(this);
        String value = group().getOrPut("key", HOUR, () -> "loaded");
        assertThat(value).isEqualTo(standing.isLive() ? "value" : "loaded");
        assertThat(group().get("key")).contains(value);
        if (!standing.isLive()) {
            assertThat(group().entry("key").orElseThrow().ttl()).isEqualTo(HOUR);
        }
    }

    @Test
    @Promise({1, 10})
    void aValueThatHasExpiredIsLoadedAgainAndAgain() {
        AtomicInteger loads = new AtomicInteger();
        for (int i = 1; i <= 3; i++) {
            assertThat(group().getOrPut("key", HOUR, () -> "v" + loads.incrementAndGet()))
                    .isEqualTo("v" + i);
            clock.advance(HOUR.minusMillis(1));
            assertThat(group().getOrPut("key", HOUR, () -> "unused")).isEqualTo("v" + i);
            advanceMillis(1);
        }
        assertThat(loads).hasValue(3);
    }

    @Test
    void ofManyThatAskForOneKeyOneLoadsAndAllGetItsValue() {
        for (int round = 0; round < 10; round++) {
            String key = "key" + round;
            AtomicInteger loads = new AtomicInteger();
            List<String> values =
                    Threads.together(16, thread -> group().getOrPut(key, HOUR, () -> "v" + loads.incrementAndGet()));
            assertThat(values).hasSize(16).containsOnly("v1");
            assertThat(loads).hasValue(1);
        }
    }

    /** Begins to load the key, which goes on until it is released. */
    private Future<String> loadUntil(CountDownLatch release) {
        CountDownLatch inside = new CountDownLatch(1);
        Future<String> loading = Threads.start(thread -> group().getOrPut("key", HOUR, () -> {
            inside.countDown();
            Threads.await(release);
            return "first";
        }));
        Threads.await(inside);
        return loading;
    }

    @Test
    void othersWaitForTheLoaderAndOtherKeysDoNot() {
        CountDownLatch release = new CountDownLatch(1);
        Future<String> first = loadUntil(release);
        AtomicInteger loadsOfTheOther = new AtomicInteger();
        Future<String> second = askAndWait(() -> "second" + loadsOfTheOther.incrementAndGet());

        assertThat(group().getOrPut("other", HOUR, () -> "at once")).isEqualTo("at once");
        assertThat(store().group("elsewhere").getOrPut("key", HOUR, () -> "at once"))
                .isEqualTo("at once");
        assertThat(group().get("key")).isEmpty();
        group().put("written", "meanwhile");

        release.countDown();
        assertThat(Threads.get(first)).isEqualTo("first");
        assertThat(Threads.get(second)).isEqualTo("first");
        assertThat(loadsOfTheOther).hasValue(0);
    }

    @Test
    @Promise(22)
    void whoWaitsForALoaderThatDoesNotReturnHearsThatTheStoreIsClosed() {
        CountDownLatch release = new CountDownLatch(1);
        Future<String> first = loadUntil(release);
        Future<String> second = askAndWait(() -> "second");
        store().close();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> Threads.get(second));
        release.countDown();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> Threads.get(first));
    }

    @Test
    void whenTheLoaderThrowsItLeavesNothingAndThoseWhoWaitLoadThemselves() {
        Recorder recorder = record();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Future<String> first = Threads.start(thread -> group().getOrPut("key", HOUR, () -> {
            inside.countDown();
            Threads.await(release);
            throw new IllegalStateException("mine");
        }));
        Threads.await(inside);
        Future<String> second = askAndWait(() -> "second");
        release.countDown();
        assertThatIllegalStateException().isThrownBy(() -> Threads.get(first)).withMessage("mine");
        assertThat(Threads.get(second)).isEqualTo("second");
        assertThat(recorder.events(EntryPut.class)).hasSize(1);
    }

    @Test
    void aLoaderThatThrewMayBeAskedAgain() {
        for (int i = 0; i < 2; i++) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> group().getOrPut("key", HOUR, () -> {
                        throw new IllegalStateException("mine");
                    }))
                    .withMessage("mine");
            assertThat(group().contains("key")).isFalse();
        }
        assertThat(group().getOrPut("key", HOUR, () -> "value")).isEqualTo("value");
    }

    @Test
    void aLoaderOfNothingIsRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> group().getOrPut("key", HOUR, () -> nothing()))
                .withMessageContaining("'loader'");
        assertThat(group().contains("key")).isFalse();
    }

    @Test
    void aLoaderThatAsksForItsOwnKeyIsRefusedRatherThanDeadlocked() {
        assertThatIllegalStateException()
                .isThrownBy(() -> group().getOrPut("key", HOUR, () -> group().getOrPut("key", HOUR, () -> "inner")));
        assertThat(group().contains("key")).isFalse();
        assertThat(group().getOrPut("key", HOUR, () -> group().getOrPut("other", HOUR, () -> "inner")))
                .isEqualTo("inner");
    }

    @Test
    void whatSomebodyPutsDuringTheLoadStands() {
        assertThat(group().getOrPut("key", HOUR, () -> {
                    group().put("key", "put");
                    return "loaded";
                }))
                .isEqualTo("put");
        assertThat(group().entry("key").orElseThrow().expiresAt()).isNull();
    }

    @Test
    @Promise(2)
    void aBadTtlIsRefusedBeforeAnythingIsLoaded() {
        AtomicInteger loads = new AtomicInteger();
        group().put("live", "value");
        for (String key : List.of("key", "live")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> group().getOrPut(key, Duration.ZERO, () -> "v" + loads.incrementAndGet()));
        }
        assertThat(loads).hasValue(0);
    }

    @Test
    void ofManyLoadersAndWritersOfOneKeyAllGetAValueThatStood() {
        for (int round = 0; round < 10; round++) {
            String key = "key" + round;
            List<String> values = Threads.together(8, thread -> switch (thread % 4) {
                case 0 -> {
                    group().put(key, "put");
                    yield "put";
                }
                case 1 -> group().take(key).orElse("put");
                default -> group().getOrPut(key, HOUR, () -> "loaded");
            });
            assertThat(values).isSubsetOf("put", "loaded");
        }
    }

    /** Asks for the key in another thread, and returns when that thread waits for somebody. */
    private Future<String> askAndWait(Supplier<String> loader) {
        AtomicReference<Thread> asking = new AtomicReference<>();
        Future<String> answer = Threads.start(thread -> {
            asking.set(Thread.currentThread());
            return group().getOrPut("key", HOUR, loader);
        });
        await().until(() -> asking.get() != null && Threads.isWaiting(asking.get()));
        return answer;
    }
}
