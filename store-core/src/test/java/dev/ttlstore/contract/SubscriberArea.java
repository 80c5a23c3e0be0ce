package dev.ttlstore.contract;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

import org.awaitility.Awaitility;

import dev.ttlstore.event.Subscription;
import dev.ttlstore.expiry.ExpirySubscriber;

/** Part of the contract with a subscriber, its handler, and entries that expire. */
abstract class SubscriberArea extends ContractArea {

    final Handled handled = new Handled();

    static Set<Thread> deliveryThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("ttl-store-delivery"))
                .collect(Collectors.toCollection(HashSet::new));
    }

    final Subscription subscribe() {
        return store().onExpired("mail", "group", handled);
    }

    final ExpirySubscriber subscriber() {
        return store().expirySubscribers().get(0);
    }

    final void awaitNothingPending() {
        Awaitility.await()
                .until(() -> store().expirySubscribers().stream().allMatch(subscriber -> subscriber.pending() == 0));
    }

    final void putExpiring(int entries) {
        store().transact(tx -> {
            for (int i = 0; i < entries; i++) {
                tx.group("group").put("key" + i, "value", Duration.ofMillis(i + 1));
            }
            return true;
        });
    }

    final void expireAll() {
        advanceMillis(60_000);
        store().purgeExpired();
    }
}
