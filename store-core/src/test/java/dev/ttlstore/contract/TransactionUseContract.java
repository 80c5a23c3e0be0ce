package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.AsyncGroup;
import dev.ttlstore.Counters;
import dev.ttlstore.Expiry;
import dev.ttlstore.KeyRange;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.TextGroup;
import dev.ttlstore.Transaction;
import dev.ttlstore.event.StoreObserver;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.exception.StoreClosedException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** A transaction is used by its thread, until its end, and in the place of the store. */
@Promise(8)
abstract class TransactionUseContract extends ContractArea {

    private static final Instant START = MovableClock.START;

    @Test
    void workMustBeGiven() {
        assertThatNullPointerException().isThrownBy(() -> store().transact(nothing()));
        assertThatNullPointerException().isThrownBy(() -> store().scope("acme").transact(nothing()));
    }

    @Test
    void aTransactionThatHasEndedCannotBeUsed() {
        record Leak(Transaction transaction, TextGroup group, Counters counters) {}
        Leak leak = store().transact(tx -> new Leak(tx, tx.group("group"), tx.counters("counters")));
        assertRefused(leak.transaction(), leak.group(), leak.counters());
        assertThat(store().count()).isZero();
    }

    @Test
    void aTransactionThatHasFailedCannotBeUsed() {
        List<TextGroup> leaked = new ArrayList<>();
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> store().transact(tx -> {
            leaked.add(tx.group("group"));
            throw new UnsupportedOperationException("on purpose");
        }));
        assertThatIllegalStateException().isThrownBy(() -> leaked.get(0).put("key", "value"));
    }

    @Test
    void anotherThreadCannotUseTheTransaction() {
        store().transact(tx -> {
            TextGroup group = tx.group("group");
            Counters counters = tx.counters("counters");
            Threads.get(Threads.start(thread -> {
                assertRefused(tx, group, counters);
                return true;
            }));
            return true;
        });
        assertThat(store().count()).isZero();
    }

    private static void assertRefused(Transaction tx, TextGroup group, Counters counters) {
        assertAllRefused(
                () -> tx.group("group"),
                () -> tx.group("group", Long.class),
                () -> tx.counters("group"),
                tx::count,
                () -> tx.scope("acme"),
                () -> tx.expirePrefix("", Expiry.now()),
                () -> tx.sweep(Duration.ZERO),
                () -> tx.groups().toList(),
                () -> tx.count(""),
                () -> tx.deleteGroup("group"),
                () -> tx.deletePrefix(""),
                () -> tx.expiring(START, START.plusMillis(1)),
                () -> tx.expired(START, START.plusMillis(1)),
                () -> counters.increment("key"));
        assertGroupRefused(group);
    }

    private static void assertGroupRefused(TextGroup group) {
        Duration ttl = Duration.ofMillis(10);
        assertAllRefused(
                () -> group.get("key"),
                () -> group.entry("key"),
                group::getAll,
                () -> group.getAll(List.of("key")),
                () -> group.getAll(List.of()),
                () -> group.contains("key"),
                group::count,
                () -> group.keys().toList(),
                () -> group.entries(KeyRange.all()).toList(),
                () -> group.page(null, 1),
                () -> group.keys(KeyRange.all()).toList(),
                () -> group.count(KeyRange.all()),
                () -> group.page(KeyRange.all(), null, 1),
                () -> group.createdBefore(START).toList(),
                () -> group.getAndPut("key", "value"),
                () -> group.getAndPutIfAbsent("key", "value"),
                () -> group.getAndExpire("key", ttl),
                () -> group.putIfPresent("key", "value"),
                () -> group.updateOrDelete("key", Optional::of),
                () -> group.getOrPut("key", () -> "value"),
                () -> group.deleteAll(List.of("key")),
                () -> group.deleteAll(List.of()),
                () -> group.clear(KeyRange.all()),
                () -> group.expireNow("key"),
                () -> group.expire("key", Expiry.never()),
                () -> group.expireAll(KeyRange.all(), Expiry.never()),
                () -> group.expireAll(List.of("key"), Expiry.never()),
                () -> group.put("key", "value"),
                () -> group.put("key", "value", ttl),
                () -> group.putAll(Map.of("key", "value")),
                () -> group.putAll(Map.of()),
                () -> group.putIfAbsent("key", "value"),
                () -> group.replace("key", "value", "value"),
                () -> group.replaceVersion("key", 1, "value"),
                () -> group.update("key", value -> value),
                () -> group.getOrPut("key", ttl, () -> "value"),
                () -> group.add("value"),
                () -> group.delete("key"),
                () -> group.delete("key", "value"),
                () -> group.deleteVersion("key", 1),
                () -> group.take("key"),
                group::clear,
                () -> group.sweep(ttl),
                () -> group.expire("key", ttl),
                () -> group.persist("key"),
                group::expireAllNow,
                () -> group.expireAll(ttl),
                group::watch,
                () -> group.watch("key"),
                group::async,
                () -> group.split("key", ","),
                () -> group.fields("key"));
    }

    private static void assertAllRefused(ThrowingCallable... calls) {
        for (int i = 0; i < calls.length; i++) {
            ThrowingCallable call = calls[i];
            assertThatIllegalStateException().as("call " + i).isThrownBy(call);
        }
    }

    @Test
    void aStreamTakenOutOfATransactionFails() {
        group().put("key", "value");
        Stream<?>[] leaked = store().transact(tx ->
                new Stream<?>[] {tx.group("group").keys(), tx.groups(), tx.expiring(START, START.plusMillis(1))});
        for (Stream<?> stream : leaked) {
            assertThatIllegalStateException().isThrownBy(stream::toList);
        }
    }

    @Test
    void theStoreCannotBeUsedBesideTheTransaction() {
        Scope scope = store().scope("acme");
        store().transact(tx -> {
            tx.group("group").put("key", "value");
            assertAllRefused(
                    () -> store().group("group"),
                    () -> store().counters("group"),
                    () -> store().count(),
                    () -> store().groups().toList(),
                    () -> store().deletePrefix(""),
                    () -> store().expirePrefix("", Expiry.now()),
                    () -> store().sweep(Duration.ZERO),
                    () -> store().watch(WatchOptions.defaults()),
                    () -> store().deleteGroup("group"),
                    () -> store().expiring(START, START),
                    () -> store().expired(START, START),
                    () -> store().transact(other -> true),
                    () -> store().purgeExpired(),
                    () -> store().stats(),
                    () -> store().path(),
                    () -> store().activity(),
                    () -> store().observe(new StoreObserver() {}),
                    () -> store().check(),
                    () -> store().scope("acme"),
                    () -> store().scope("acme", Quota.UNLIMITED),
                    () -> store().outsideTransaction(),
                    () -> store().watch(),
                    () -> store().watch(WatchOptions.defaults()),
                    () -> store().watch("group"),
                    () -> store().onChange(event -> {}),
                    () -> store().close(),
                    () -> scope.group("group"),
                    scope::count,
                    scope::usage,
                    scope::quota,
                    scope::purgeExpired,
                    scope::outsideTransaction,
                    () -> scope.transact(other -> true));
            return true;
        });
        assertThat(group().get("key")).contains("value");
        group().put("key", "other");
        assertThat(group().get("key")).contains("other");
    }

    @Test
    void aGroupOfTheStoreCannotBeUsedBesideTheTransaction() {
        TextGroup outside = group();
        TextGroup ofScope = store().scope("acme").group("group");
        AsyncGroup<String> async = outside.async();
        Stream<String> keys = outside.keys();
        store().transact(tx -> {
            assertGroupRefused(outside);
            assertGroupRefused(ofScope);
            assertThat(async.put("key", "value"))
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withCauseInstanceOf(IllegalStateException.class);
            assertThatIllegalStateException().isThrownBy(keys::toList);
            return true;
        });
        assertThat(store().count()).isZero();
        outside.put("key", "value");
        ofScope.put("key", "value");
        assertThat(store().count()).isEqualTo(2);
    }

    @Test
    void aTransactionHasNoAsynchronousWritesAndCannotBeWatched() {
        store().transact(tx -> {
            TextGroup group = tx.group("group");
            assertAllRefused(group::async, group::watch, () -> group.watch("key"));
            group.put("key", "value");
            return true;
        });
        assertThat(group().count()).isEqualTo(1);
    }

    @Test
    void theStoreWorksAfterARefusalThatWasNotCaught() {
        assertThatIllegalStateException().isThrownBy(() -> store().transact(tx -> {
            tx.group("group").put("key", "value");
            return store().transact(other -> true);
        }));
        assertThat(store().count()).isZero();
        store().transact(tx -> {
            tx.group("group").put("key", "value");
            return true;
        });
        assertThat(store().count()).isEqualTo(1);
    }

    @Test
    @Promise({8, 22})
    void closingTheStoreLetsARunningTransactionFinish() {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Recorder recorder = record();
        Future<Boolean> transaction = Threads.start(thread -> store().transact(tx -> {
            tx.group("group").put("first", "value");
            inside.countDown();
            Threads.await(release);
            tx.group("group").put("second", "value");
            return true;
        }));
        Threads.await(inside);
        Future<Boolean> closing = Threads.start(thread -> {
            store().close();
            return true;
        });
        release.countDown();
        assertThat(Threads.get(transaction)).isTrue();
        assertThat(Threads.get(closing)).isTrue();
        assertThat(recorder.events()).hasSize(2);
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> store().transact(tx -> true));
    }

    @Test
    void whatReadsInATransactionLeavesNothingBehind() {
        group().put("key", "value");
        Recorder recorder = record();
        Iterator<String> answer =
                store().transact(tx -> tx.group("group").getAll().values().iterator());
        assertThat(answer.next()).isEqualTo("value");
        assertThat(recorder.events()).isEmpty();
    }
}
