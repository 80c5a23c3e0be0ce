package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.ExpiryEvents;
import dev.ttlstore.event.Subscription;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assumptions.assumeThat;

/** Subscribers have a name, one handler at a time, and stay until they are removed. */
@Promise(17)
abstract class SubscriptionContract extends SubscriberArea {

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
}
