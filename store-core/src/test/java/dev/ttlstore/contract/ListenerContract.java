package dev.ttlstore.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.ttlstore.Store;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.StoreClosedException;

import ch.qos.logback.classic.Level;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Named.named;

/** What a listener may do, and what it cannot do any harm with. */
@Promise(14)
abstract class ListenerContract extends ContractArea {

    @Test
    void aListenerHasBeenCalledByTheTimeTheWriteReturns() {
        Recorder recorder = record();
        group().put("key", "value");
        assertThat(recorder.events()).hasSize(1);
        group().delete("key");
        assertThat(recorder.events()).hasSize(2);
    }

    /** Under load, it may be the listener of another thread's write. */
    @Test
    void anInterruptOfAThreadThatWritesDisturbsNoListenerAndIsKept() {
        List<Boolean> disturbed = new ArrayList<>();
        store().onChange(event -> disturbed.add(Thread.interrupted()));
        Thread.currentThread().interrupt();
        group().put("key", "value");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(disturbed).containsExactly(false);
    }

    @Test
    void aListenerHasBeenCalledByTheTimeTheWriteReturnsInEachOfManyThreads() {
        Recorder recorder = record();
        Threads.together(8, thread -> {
            for (int i = 0; i < 50; i++) {
                String key = thread + "." + i;
                group().put(key, "value");
                assertThat(recorder.events(EntryPut.class))
                        .extracting(EntryPut::key)
                        .contains(key);
            }
            return thread;
        });
    }

    @Test
    void aListenerSeesTheStoreAsTheWriteHasLeftIt() {
        AtomicReference<String> seen = new AtomicReference<>();
        store().onChange(event -> seen.set(group().get("key").orElse("nothing")));
        group().put("key", "value");
        assertThat(seen).hasValue("value");
        group().delete("key");
        assertThat(seen).hasValue("nothing");
    }

    @Test
    void whatAListenerThrowsIsCountedAndHarmsNobody() {
        Recorder before = record();
        store().onChange(event -> {
            throw new IllegalStateException("thrown on purpose");
        });
        store().onChange(event -> {
            throw new StackOverflowError("thrown on purpose");
        });
        Recorder after = record();

        group().put("key", "value");

        assertThat(group().get("key")).contains("value");
        assertThat(before.events()).hasSize(1);
        assertThat(after.events()).hasSize(1);
        assertThat(store().activity().listenerFailures()).isEqualTo(2);
        group().put("key", "again");
        assertThat(after.events()).hasSize(2);
        assertThat(store().activity().listenerFailures()).isEqualTo(4);
    }

    @Test
    @Promise({13, 14})
    void aListenerThatWritesIsToldOfItsOwnWriteLater() {
        List<String> told = new ArrayList<>();
        store().onChange(event -> {
            EntryPut put = (EntryPut) event;
            told.add("begin " + put.key());
            if (put.key().equals("first")) {
                group().put("second", "value");
                assertThat(group().get("second")).contains("value");
                group().put("third", "value");
            }
            told.add("end " + put.key());
        });
        group().put("first", "value");
        assertThat(told)
                .containsExactly("begin first", "end first", "begin second", "end second", "begin third", "end third");
        assertThat(store().activity().listenerFailures()).isZero();
    }

    @Test
    @Promise({13, 14})
    void allListenersSeeTheSameOrderThoughOneOfThemWrites() {
        store().onChange(event -> {
            if (event instanceof EntryPut put && !put.key().endsWith("copy")) {
                group().put(put.key() + ".copy", "value");
            }
        });
        Recorder recorder = record();
        Threads.together(8, thread -> {
            for (int i = 0; i < 25; i++) {
                group().put(thread + "." + i, "value");
            }
            return thread;
        });
        assertThat(recorder.events()).hasSize(400);
        assertSequenceRises(recorder.events());
    }

    @Test
    void aListenerIsCalledByOneThreadAtATime() {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        store().onChange(event -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            Thread.onSpinWait();
            inside.decrementAndGet();
        });
        Threads.together(8, thread -> {
            for (int i = 0; i < 25; i++) {
                group().put(thread + "." + i, "value");
            }
            return thread;
        });
        assertThat(most).hasValue(1);
    }

    @Test
    void aClosedSubscriptionIsToldNothingMore() {
        Recorder recorder = new Recorder();
        Subscription subscription = store().onChange(recorder);
        group().put("key", "value");
        subscription.close();
        subscription.close();
        group().put("key", "value");
        assertThat(recorder.events()).hasSize(1);
    }

    @Test
    void aListenerMayEndItsOwnSubscription() {
        Recorder recorder = new Recorder();
        CompletableFuture<Subscription> subscription = new CompletableFuture<>();
        subscription.complete(store().onChange(event -> {
            recorder.onEvent(event);
            subscription.join().close();
        }));
        Recorder other = record();
        group().put("key", "value");
        group().put("key", "value");
        assertThat(recorder.events()).hasSize(1);
        assertThat(other.events()).hasSize(2);
        assertThat(store().activity().listenerFailures()).isZero();
    }

    @Test
    void aListenerThatIsSubscribedTwiceIsToldTwiceUntilOneOfTheTwoEnds() {
        Recorder recorder = new Recorder();
        store().onChange(recorder);
        Subscription second = store().onChange(recorder);
        group().put("key", "value");
        assertThat(recorder.events()).hasSize(2);
        second.close();
        second.close();
        group().put("key", "value");
        assertThat(recorder.events()).hasSize(3);
    }

    @Test
    void aListenerMaySubscribeAnother() {
        Recorder late = new Recorder();
        store().onChange(event -> {
            if (event instanceof EntryDeleted) {
                store().onChange(late);
            }
        });
        group().put("key", "value");
        group().delete("key");
        late.clear();
        group().put("key", "value");
        assertThat(late.events()).hasSize(1);
    }

    @Test
    void aListenerHoldsUpNeitherReadsNorTheCommitsOfOthers() {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        store().onChange(event -> {
            inside.countDown();
            Threads.await(release);
        });
        Future<Boolean> first = put("first");
        Threads.await(inside);
        Future<Boolean> second = put("second");
        Awaitility.await().until(() -> group().contains("second"));
        assertThat(group().get("first")).contains("value");
        assertThat(second).isNotDone();
        release.countDown();
        assertThat(Threads.get(first)).isTrue();
        assertThat(Threads.get(second)).isTrue();
    }

    @Test
    @Promise({14, 22})
    void aListenerMayCloseTheStore() {
        Recorder recorder = new Recorder();
        store().onChange(event -> store().close());
        store().onChange(recorder);
        group().put("key", "value");
        assertThat(recorder.events()).hasSize(1);
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> group().get("key"));
    }

    /** A listener that does not return, with a text that is nobody's business. */
    private record Blocking(CountDownLatch blocked, CountDownLatch release, String secret) implements StoreListener {
        @Override
        public void onEvent(StoreEvent event) {
            blocked.countDown();
            Threads.await(release);
        }
    }

    private static Stream<Named<BiFunction<Store, StoreListener, Subscription>>> registrations() {
        return Stream.of(
                named("store", Store::onChange),
                named("store with values", (store, listener) -> store.onChange(StoreListener.withValues(listener))),
                named("scope", (store, listener) -> store.scope("ns").onChange(listener)),
                named("scope with values", (store, listener) -> store.scope("ns")
                        .onChange(StoreListener.withValues(listener))));
    }

    @ParameterizedTest
    @MethodSource("registrations")
    void theLogNamesTheListenerThatDoesNotReturn(BiFunction<Store, StoreListener, Subscription> registration) {
        open(settings().closeTimeout(Duration.ofMillis(1)));
        Blocking listener = new Blocking(new CountDownLatch(1), new CountDownLatch(1), "s3cr3t");
        Subscription subscription = registration.apply(store(), listener);
        Future<Boolean> writer = Threads.start(thread -> {
            store().scope("ns").group("group").put("key", "value");
            return true;
        });
        Threads.await(listener.blocked());
        try (LogRecorder log = new LogRecorder("dev.ttlstore", Level.WARN)) {
            store().close();
            assertThat(log.messages())
                    .noneMatch(message -> message.contains("s3cr3t"))
                    .anyMatch(message -> message.startsWith("The listener " + Blocking.class.getName() + " has not"));
        }
        listener.release().countDown();
        assertThat(Threads.get(writer)).isTrue();
        subscription.close();
    }

    private Future<Boolean> put(String key) {
        return Threads.start(thread -> {
            group().put(key, "value");
            return true;
        });
    }
}
