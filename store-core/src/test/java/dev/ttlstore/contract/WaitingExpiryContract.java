package dev.ttlstore.contract;

import java.time.Duration;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.ttlstore.event.Subscription;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.expiry.ExpirySettings;
import dev.ttlstore.expiry.ExpirySubscriber;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What expires without a handler waits for one, up to a bound. */
@Promise(17)
abstract class WaitingExpiryContract extends SubscriberArea {

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
        advanceMillis(Duration.ofMinutes(3).toMillis() - 1); // each expiry below and above takes a minute
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
}
