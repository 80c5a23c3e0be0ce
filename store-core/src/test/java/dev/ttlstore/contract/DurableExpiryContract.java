package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.ExpiryEvents;
import dev.ttlstore.Scope;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.expiry.ExpirySettings;
import dev.ttlstore.expiry.ExpirySubscriber;

import ch.qos.logback.classic.Level;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;

/** Handlers of subscribers are called for what expires, at least once. */
@Promise(17)
abstract class DurableExpiryContract extends ContractArea {

    private final Handled handled = new Handled();

    @Test
    void aHandlerIsToldOfAnEntryThatHasExpiredAsItWas() {
        subscribe();
        group().put("key", "old", Duration.ofSeconds(1));
        group().put("key", "value", Duration.ofSeconds(1));
        long version = group().entry("key").orElseThrow().version();
        expireAll();
        handled.await("key");
        assertThat(handled.entries())
                .containsExactly(
                        new ExpiredEntry<>("group", "key", "value", version, MovableClock.START.plusSeconds(1), 1));
        awaitNothingPending();
    }

    @Test
    void aHandlerThatNeedsNoValueIsToldOfTheEntryWithoutIt() {
        List<ExpiredEntry<Void>> told = new CopyOnWriteArrayList<>();
        Subscription ofGroup = store().onExpired("one", "group", Void.class, told::add);
        Subscription ofScope = store().scope("acme").onExpiredPrefix("all", "", Void.class, told::add);
        group().put("key", "value", Duration.ofSeconds(1));
        store().scope("acme").counters("count").put("key", 7L, Duration.ofSeconds(1));
        long version = group().entry("key").orElseThrow().version();
        long counted = store().scope("acme")
                .counters("count")
                .entry("key")
                .orElseThrow()
                .version();
        Instant end = MovableClock.START.plusSeconds(1);
        expireAll();
        awaitNothingPending();
        assertThat(told)
                .containsExactlyInAnyOrder(
                        new ExpiredEntry<>("group", "key", nothing(), version, end, 1),
                        new ExpiredEntry<>("count", "key", nothing(), counted, end, 1));
        ofGroup.close();
        ofScope.close();
    }

    @Test
    void whatIsDeletedTakenRenewedOrMadePermanentIsNotToldOf() {
        subscribe();
        for (String key : List.of("deleted", "taken", "renewed", "permanent", "expired")) {
            group().put(key, "value", Duration.ofSeconds(1));
        }
        group().delete("deleted");
        group().take("taken");
        group().expire("renewed", Duration.ofHours(1));
        group().persist("permanent");
        expireAll();
        handled.await("expired");
        awaitNothingPending();
        assertThat(handled.keys()).containsExactly("expired");
    }

    @Test
    void anExpiryIsToldOfHoweverItIsFound() {
        subscribe();
        for (String key : List.of("put", "deleted", "purged", "in a transaction", "in a cleared group")) {
            group().put(key, "value", Duration.ofSeconds(1));
        }
        advanceMillis(1_000);
        group().put("put", "new");
        assertThat(group().delete("deleted")).isFalse();
        handled.await("put", "deleted");
        store().transact(tx -> tx.group("group").putIfAbsent("in a transaction", "new"));
        group().clear();
        handled.await("put", "deleted", "purged", "in a transaction", "in a cleared group");
        awaitNothingPending();
        assertThat(handled.entries()).hasSize(5).allSatisfy(entry -> assertThat(entry.value())
                .isEqualTo("value"));
    }

    @Test
    void whatATransactionFindsThatFailsIsToldOfOnceAndLater() {
        subscribe();
        group().put("key", "value", Duration.ofSeconds(1));
        advanceMillis(1_000);
        assertThatIllegalStateException().isThrownBy(() -> store().transact(tx -> {
            tx.group("group").put("key", "new");
            throw new IllegalStateException("on purpose");
        }));
        assertThat(subscriber().pending()).isZero();
        store().purgeExpired();
        handled.await("key");
        awaitNothingPending();
        assertThat(handled.keys()).hasSize(1);
    }

    @Test
    void onlyWhatIsInTheGroupIsToldOf() {
        subscribe();
        for (String name : List.of("group", "groups", "grou", "other")) {
            store().group(name).put(name, "value", Duration.ofSeconds(1));
        }
        expireAll();
        handled.await("group");
        awaitNothingPending();
        assertThat(handled.keys()).containsExactly("group");
    }

    @Test
    void groupsCanBeSubscribedToByHowTheirNamesBegin() {
        Subscription unused = store().onExpiredPrefix("mail", "user-", Codec.text(), handled);
        for (String name : List.of("user-", "user-1", "user", "user.2", "user-ü")) {
            store().group(name).put(name, "value", Duration.ofSeconds(1));
        }
        expireAll();
        handled.await("user-", "user-1", "user-ü");
        assertThat(subscriber())
                .extracting(ExpirySubscriber::groups, ExpirySubscriber::prefix)
                .containsExactly("user-", true);
    }

    @Test
    void aScopeIsToldOfItsOwnByTheNamesThatItKnows() {
        Scope scope = store().scope("acme");
        Handled all = new Handled();
        Subscription one = scope.onExpired("mail", "group", handled);
        Subscription other = scope.onExpiredPrefix("all", "", String.class, all);
        scope.group("group").put("own", "value", Duration.ofSeconds(1));
        scope.group("another").put("also own", "value", Duration.ofSeconds(1));
        group().put("of the store", "value", Duration.ofSeconds(1));
        store().group("acme").put("of the store", "value", Duration.ofSeconds(1));
        store().scope("acme-2").group("group").put("of another", "value", Duration.ofSeconds(1));
        expireAll();
        handled.await("own");
        all.await("own", "also own");
        assertThat(all.entries()).extracting(ExpiredEntry::group).containsExactlyInAnyOrder("group", "another");
        assertThat(scope.expirySubscribers())
                .extracting(ExpirySubscriber::name, ExpirySubscriber::groups, ExpirySubscriber::prefix)
                .containsExactly(tuple("all", "", true), tuple("mail", "group", false));
        assertThat(store().expirySubscribers())
                .extracting(ExpirySubscriber::name)
                .containsExactly("acme:all", "acme:mail");
        assertThat(store().scope("acme-2").expirySubscribers()).isEmpty();
        one.close();
        other.close();
    }

    @Test
    void whatExpiresFirstIsToldOfFirst() {
        open(settings().expiry(ExpirySettings.defaults().withConcurrency(1)));
        for (int i = 0; i < 200; i++) {
            group().put("key" + i * 37 % 200, "value", Duration.ofMillis(1 + i * 37 % 200));
        }
        subscribe();
        advanceMillis(50);
        store().purgeExpired();
        advanceMillis(1_000);
        store().purgeExpired();
        handled.awaitCount(200);
        assertThat(handled.keys())
                .containsExactlyElementsOf(
                        IntStream.range(0, 200).mapToObj(i -> "key" + i).toList());
    }

    @Test
    void theExpiriesOfOneKeyAreToldOneAfterTheOther() {
        AtomicInteger together = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Handled slow = new Handled(entry -> {
            most.accumulateAndGet(together.incrementAndGet(), Math::max);
            Thread.sleep(1); // so that another would come meanwhile
            together.decrementAndGet();
        });
        Subscription unused = store().onExpired("mail", "group", slow);
        int times = Effort.of(30, 100);
        for (int i = 0; i < times; i++) {
            group().put("key", "value" + i, Duration.ofMillis(1));
            expireAll();
        }
        slow.awaitCount(times);
        assertThat(most).hasValue(1);
        assertThat(slow.entries())
                .extracting(ExpiredEntry::value)
                .containsExactlyElementsOf(
                        IntStream.range(0, times).mapToObj(i -> "value" + i).toList());
    }

    @Test
    void asManyHandlersRunAtATimeAsAreSet() {
        open(settings().expiry(ExpirySettings.defaults().withConcurrency(3)));
        CountDownLatch threeAreIn = new CountDownLatch(3);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger together = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Handled blocking = new Handled(entry -> {
            most.accumulateAndGet(together.incrementAndGet(), Math::max);
            threeAreIn.countDown();
            Threads.await(goOn);
            together.decrementAndGet();
        });
        Subscription unused = store().onExpired("mail", "group", blocking);
        putExpiring(20);
        expireAll();
        Threads.await(threeAreIn);
        goOn.countDown();
        blocking.awaitCount(20);
        assertThat(most).hasValue(3);
    }

    @Test
    void aHandlerMayUseTheStore() {
        Subscription unused = store().onExpired("mail", "group", entry -> {
            store().group("told").put(entry.key(), entry.value());
            store().transact(tx -> tx.group("told").putIfAbsent("first", entry.key()));
        });
        putExpiring(10);
        expireAll();
        Awaitility.await().until(() -> store().group("told").count() == 11);
    }

    @Test
    void twoSubscribersAreBothTold() {
        Handled other = new Handled();
        subscribe();
        Subscription unused = store().onExpired("audit", "group", other);
        putExpiring(10);
        expireAll();
        handled.awaitCount(10);
        other.awaitCount(10);
        awaitNothingPending();
        assertThat(store().expirySubscribers())
                .extracting(ExpirySubscriber::name)
                .containsExactly("audit", "mail");
    }

    @Test
    void whatExpiresWithoutAHandlerWaitsForOne() {
        Subscription subscription = subscribe();
        subscription.close();
        subscription.close();
        putExpiring(10);
        expireAll();
        assertThat(subscriber())
                .extracting(ExpirySubscriber::active, ExpirySubscriber::pending)
                .containsExactly(false, 10L);
        assertThat(subscriber().oldest()).isEqualTo(MovableClock.START.plusMillis(1));
        assertThat(handled.entries()).isEmpty();
        subscribe();
        handled.awaitCount(10);
        awaitNothingPending();
        assertThat(subscriber().active()).isTrue();
    }

    @Test
    void ofWhatWaitsForAMissingHandlerTheOldestIsDroppedBeyondABound() {
        open(settings().expiry(ExpirySettings.defaults().withMaxBacklog(100)));
        subscribe().close();
        putExpiring(250);
        expireAll();
        letTheGracePass();
        Awaitility.await().until(() -> subscriber().dropped() == 150);
        assertThat(subscriber().pending()).isEqualTo(100);
        subscribe();
        handled.awaitCount(100);
        assertThat(handled.keys())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(150, 250).mapToObj(i -> "key" + i).toList());
    }

    @Test
    void whatWaitsForAHandlerIsNotDroppedBeforeItHasBeenMissingForFiveMinutes() {
        open(settings().expiry(ExpirySettings.defaults().withMaxBacklog(100)));
        Handled other = new Handled();
        subscribe().close();
        Subscription unused = store().onExpired("audit", "group", other);
        putExpiring(250);
        expireAll();
        other.awaitCount(250);
        advanceMillis(Duration.ofMinutes(3).toMillis());
        putExpiring(1);
        expireAll();
        other.awaitCount(251); // so there has been a look at what waits
        subscribe();
        handled.awaitCount(251);
    }

    @Test
    void whenTheFirstOfAKeyIsDroppedTheNextOneIsTheFirst() {
        open(settings().expiry(ExpirySettings.defaults().withMaxBacklog(5)));
        subscribe().close();
        expireOneKey(20);
        letTheGracePass();
        Awaitility.await().until(() -> subscriber().dropped() == 15);
        assertThat(subscriber().oldest()).isEqualTo(MovableClock.START.plusMillis(16));
        subscribe();
        handled.awaitCount(5);
        assertThat(handled.entries())
                .extracting(ExpiredEntry::value)
                .containsExactly("value15", "value16", "value17", "value18", "value19");
    }

    @Test
    void manyExpiriesOfOneKeyDoNotHoldUpOthersAndAreToldInOrder() {
        int many = contract().manyEntries() / 20;
        subscribe().close();
        expireOneKey(many);
        Handled others = new Handled();
        Handled ofKey = new Handled(entry -> {
            if (entry.key().startsWith("other")) {
                others.handle(entry);
            }
        });
        Subscription unused = store().onExpired("mail", "group", ofKey);
        group().put("other", "value", Duration.ofMillis(1));
        expireAll();
        others.await("other");
        ofKey.awaitCount(many + 1);
        assertThat(ofKey.entries().stream()
                        .filter(entry -> entry.key().equals("key"))
                        .map(ExpiredEntry::value))
                .containsExactlyElementsOf(
                        IntStream.range(0, many).mapToObj(i -> "value" + i).toList());
    }

    @Test
    void aSubscriptionThatIsClosedTwiceDoesNotEndTheNextOne() {
        Subscription first = subscribe();
        first.close();
        subscribe();
        first.close();
        assertThat(subscriber().active()).isTrue();
    }

    @Test
    void aStoreWithASubscriberAndNothingToComeDoesNotWakeUp() {
        assumeThat(contract().isExclusive()).isTrue(); // otherwise another process may die, and sends no signal
        Set<Thread> before = deliveryThreads();
        open(settings());
        subscribe();
        group().put("key", "value", Duration.ofMillis(1));
        expireAll();
        handled.await("key");
        Set<Thread> ofStore = deliveryThreads();
        ofStore.removeAll(before);
        assertThat(ofStore).singleElement().satisfies(thread -> Awaitility.await()
                .until(() -> thread.getState() == Thread.State.WAITING));
    }

    @Test
    void aSubscriberCanBeRemovedForGood() {
        Subscription subscription = subscribe();
        assertThatIllegalStateException()
                .isThrownBy(() -> store().removeExpirySubscriber("mail"))
                .withMessageContaining("'mail'")
                .withMessageContaining("close its subscription");
        subscription.close();
        putExpiring(Effort.of(1_100, 2_500)); // more than are removed at once
        expireAll();
        assertThat(store().removeExpirySubscriber("mail")).isTrue();
        assertThat(store().removeExpirySubscriber("mail")).isFalse();
        assertThat(store().expirySubscribers()).isEmpty();
        subscribe();
        assertThat(subscriber().pending()).isZero();
        group().put("key", "value", Duration.ofMillis(1));
        expireAll();
        handled.await("key");
    }

    @Test
    void aSubscriberHasOneHandlerAtATime() {
        Subscription subscription = subscribe();
        assertThatIllegalStateException()
                .isThrownBy(this::subscribe)
                .withMessageContaining("'mail' already has a handler");
        subscription.close();
        subscribe();
    }

    @Test
    void aSubscriberMayTurnToAnotherGroup() {
        subscribe().close();
        Subscription unused = store().onExpired("mail", "another", handled);
        group().put("no more", "value", Duration.ofMillis(1));
        store().group("another").put("from now on", "value", Duration.ofMillis(1));
        expireAll();
        handled.await("from now on");
        awaitNothingPending();
        assertThat(handled.keys()).hasSize(1);
        assertThat(subscriber().groups()).isEqualTo("another");
    }

    @Test
    void namesAndHandlersAreChecked() {
        ExpiryEvents scope = store().scope("acme");
        for (ExpiryEvents events : List.of(store(), scope)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> events.onExpired("", "group", handled))
                    .withMessageContaining("'subscriber'");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> events.onExpired("acme:mail", "group", handled))
                    .withMessageContaining("'subscriber' must not contain ':'")
                    .withMessageContaining("use another character");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> events.onExpiredPrefix("acme:mail", "", Codec.text(), handled));
            assertThatIllegalArgumentException().isThrownBy(() -> events.deadLetters("acme:mail"));
            assertThatIllegalArgumentException().isThrownBy(() -> events.removeExpirySubscriber("acme:mail"));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> events.onExpired("mail", "a\0b", handled))
                    .withMessageContaining("'group'");
            assertThatNullPointerException()
                    .isThrownBy(() -> events.onExpired("mail", "group", ContractArea.<Handled>nothing()))
                    .withMessageContaining("'handler'");
            assertThatNullPointerException()
                    .isThrownBy(() -> events.onExpired("mail", "group", ContractArea.<Codec<String>>nothing(), handled))
                    .withMessageContaining("'codec'");
            assertThatNullPointerException()
                    .isThrownBy(() -> events.onExpired("mail", "group", ContractArea.<Class<String>>nothing(), handled))
                    .withMessageContaining("'type'");
            assertThatNullPointerException()
                    .isThrownBy(() -> events.onExpiredPrefix("mail", nothing(), Codec.text(), handled))
                    .withMessageContaining("'prefix'");
            assertThat(events.expirySubscribers()).isEmpty();
        }
        assertThatNullPointerException()
                .isThrownBy(() -> settings().expiry(nothing()))
                .withMessageContaining("'expiry'");
    }

    @Test
    @Promise(22)
    void closingWaitsForAHandlerThatRuns() {
        CountDownLatch in = new CountDownLatch(1);
        AtomicReference<String> written = new AtomicReference<>();
        Subscription unused = store().onExpired("mail", "group", entry -> {
            in.countDown();
            Thread.sleep(50); // so that the closing below meets it
            store().group("told").put("key", "value");
            written.set(entry.key());
        });
        group().put("key", "value", Duration.ofMillis(1));
        expireAll();
        Threads.await(in);
        store().close();
        assertThat(written).hasValue("key");
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> store().expirySubscribers());
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(this::subscribe);
    }

    @Test
    @Promise(22)
    void aHandlerMayCloseTheStore() {
        CountDownLatch closed = new CountDownLatch(1);
        Subscription unused = store().onExpired("mail", "group", entry -> {
            store().close();
            closed.countDown();
        });
        group().put("key", "value", Duration.ofMillis(1));
        expireAll();
        Threads.await(closed);
    }

    @Test
    @Promise(22)
    void deliveriesOfAStoreThatAHandlerHasClosedEndWithoutAWord() {
        assertDeliveriesEndWithoutAWord(() -> {
            open(settings());
            Subscription unused = store().onExpired("mail", "group", entry -> store().close());
            group().put("key", "value", Duration.ofMillis(1));
            return this::expireAll;
        });
    }

    @Test
    @Promise(22)
    void deliveriesOfAStoreThatWaitsNoLongerForAHandlerEndWithoutAWord() {
        CountDownLatch in = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        assertDeliveriesEndWithoutAWord(() -> {
            open(settings().closeTimeout(Duration.ofMillis(100)));
            Subscription unused = store().onExpired("mail", "group", entry -> {
                in.countDown();
                while (release.getCount() > 0) { // whether interrupted or not
                    Thread.onSpinWait();
                }
            });
            group().put("key", "value", Duration.ofMillis(1));
            return () -> {
                expireAll();
                Threads.await(in);
                store().close();
                release.countDown();
            };
        });
    }

    /** Runs something that ends a store which it has opened. */
    private void assertDeliveriesEndWithoutAWord(Supplier<Runnable> opening) {
        try (LogRecorder log = new LogRecorder("dev.ttlstore.internal.delivery", Level.WARN)) {
            Set<Thread> before = deliveryThreads();
            Runnable ending = opening.get();
            Set<Thread> ofStore = deliveryThreads();
            ofStore.removeAll(before);
            ending.run();
            Awaitility.await().until(() -> ofStore.stream().noneMatch(Thread::isAlive));
            assertThat(log.messages()).isEmpty();
        }
    }

    @Test
    @Promise({7, 13, 17})
    void manyEntriesThatExpireByOneCommandAreEachToldOfOnce() {
        int many = contract().manyEntries();
        Recorder recorder = record();
        subscribe();
        fill(many);
        advanceMillis(1_000);
        Instant now = clock.instant();
        assertThat(group().expireAllNow()).isEqualTo(many);
        assertThat(group().count()).isZero();
        store().purgeExpired();
        handled.awaitCount(many);
        awaitNothingPending();
        assertThat(handled.keys()).doesNotHaveDuplicates().hasSize(many);
        assertThat(handled.entries()).allMatch(entry -> entry.expiresAt().equals(now));
        assertThat(recorder.events(EntryExpired.class)).hasSize(many).allMatch(event -> event.expiresAt()
                .equals(now));
    }

    private static Set<Thread> deliveryThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("ttl-store-delivery"))
                .collect(Collectors.toCollection(HashSet::new));
    }

    private void expireOneKey(int times) {
        for (int i = 0; i < times; i++) {
            group().put("key", "value" + i, Duration.ofMillis(1));
            advanceMillis(1);
        }
        store().purgeExpired();
    }

    private void letTheGracePass() {
        advanceMillis(Duration.ofMinutes(5).toMillis());
        store().purgeExpired();
    }

    private Subscription subscribe() {
        return store().onExpired("mail", "group", handled);
    }

    private ExpirySubscriber subscriber() {
        return store().expirySubscribers().get(0);
    }

    private void awaitNothingPending() {
        Awaitility.await()
                .until(() -> store().expirySubscribers().stream().allMatch(subscriber -> subscriber.pending() == 0));
    }

    private void putExpiring(int entries) {
        store().transact(tx -> {
            for (int i = 0; i < entries; i++) {
                tx.group("group").put("key" + i, "value", Duration.ofMillis(i + 1));
            }
            return true;
        });
    }

    private void expireAll() {
        advanceMillis(60_000);
        store().purgeExpired();
    }
}
