package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.Scope;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.expiry.ExpirySettings;
import dev.ttlstore.expiry.ExpirySubscriber;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

/** Handlers of subscribers are called for what expires, at least once. */
@Promise(17)
abstract class DurableExpiryContract extends SubscriberArea {

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
}
