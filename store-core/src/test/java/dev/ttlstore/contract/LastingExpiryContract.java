package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.ttlstore.GroupPattern;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.expiry.ExpirySettings;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What subscribers to expiries are told when the store was closed meanwhile. */
@Promise(17)
abstract class LastingExpiryContract extends ContractArea {

    private static final ExpirySettings ONE_BY_ONE = ExpirySettings.defaults().withConcurrency(1);

    private final Handled handled = new Handled();

    @Test
    void whatExpiresWhileTheStoreIsClosedIsToldAtTheNextStartInTheOrderOfExpiry() {
        subscribe(handled);
        List<String> keys = IntStream.range(0, 100).mapToObj(i -> "key" + i).toList();
        for (int i = 0; i < 100; i++) {
            int place = i * 61 % 100;
            group().put("key" + place, "value" + place, Duration.ofMillis(place + 1));
        }
        store().close();
        advanceMillis(1_000);
        open(settings().expiry(ONE_BY_ONE).expiryOnTime(true));
        subscribe(handled);
        handled.awaitCount(100);
        assertThat(handled.keys()).containsExactlyElementsOf(keys);
    }

    @Test
    void whatExpiresInTheGroupsOfAPatternWhileTheStoreIsClosedIsToldAtTheNextStart() {
        GroupPattern secrets = new GroupPattern("*:secrets");
        store().onExpiredMatching("mail", secrets, String.class, handled).close();
        for (String name : List.of("acme:secrets", "umbrella:secrets", "secrets", "acme:mail", "acme:more:secrets")) {
            store().group(name).put(name, "value", Duration.ofMillis(1));
        }
        store().close();
        advanceMillis(1);
        reopen();
        store().purgeExpired();
        assertThat(store().expirySubscribers()).singleElement().satisfies(subscriber -> {
            assertThat(subscriber.groups()).isEqualTo("*:secrets");
            assertThat(subscriber.pending()).isEqualTo(2);
        });
        Subscription unused = store().onExpiredMatching("mail", secrets, String.class, handled);
        handled.await("acme:secrets", "umbrella:secrets");
    }

    @Test
    void whatIsFoundBeforeItsSubscriberIsBackIsRecordedAllTheSame() {
        subscribe(handled);
        group().put("key", "value", Duration.ofMillis(1));
        store().close();
        advanceMillis(1);
        reopen();
        group().put("key", "new");
        assertThat(store().expirySubscribers()).singleElement().satisfies(subscriber -> assertThat(subscriber.pending())
                .isEqualTo(1));
        subscribe(handled);
        handled.await("key");
        assertThat(handled.entries()).extracting(ExpiredEntry::value).containsExactly("value");
    }

    @Test
    void whatWasRecordedAndNotHandledIsHandledWhenTheStoreIsOpenAgain() {
        subscribe(handled).close();
        for (int i = 0; i < 100; i++) {
            group().put("key" + i, "value", Duration.ofMillis(1));
        }
        advanceMillis(1);
        store().purgeExpired();
        reopen();
        subscribe(handled);
        handled.awaitCount(100);
        reopen();
        subscribe(handled);
        assertThat(store().expirySubscribers())
                .allSatisfy(subscriber -> assertThat(subscriber.pending()).isZero());
        assertThat(handled.entries()).hasSize(100);
    }

    @Test
    void attemptsAndDeadLettersAreKept() {
        ExpirySettings settings =
                ONE_BY_ONE.withMaxAttempts(2).withDelays(Duration.ofSeconds(1), Duration.ofSeconds(1));
        open(settings().expiry(settings));
        AtomicInteger calls = new AtomicInteger();
        Handled failing = new Handled(entry -> {
            assertThat(entry.attempt()).isEqualTo(calls.incrementAndGet());
            throw new IllegalStateException("on purpose");
        });
        subscribe(failing);
        group().put("key", "value", Duration.ofMillis(1));
        advanceMillis(1);
        store().purgeExpired();
        Awaitility.await().until(() -> calls.get() == 1);
        open(settings().expiry(settings));
        subscribe(failing);
        Awaitility.await().until(() -> {
            advanceMillis(1_000);
            store().purgeExpired();
            return store().deadLetters("mail").count() == 1;
        });
        reopen();
        assertThat(store().deadLetters("mail").stream()).singleElement().satisfies(letter -> {
            assertThat(letter.attempts()).isEqualTo(2);
            assertThat(letter.lastError()).contains("Exception at ");
        });
        subscribe(handled);
        store().deadLetters("mail").retryAll();
        handled.await("key");
    }

    @Test
    void aSubscriberThatWasRemovedIsNotBackWhenTheStoreIsOpenAgain() {
        subscribe(handled).close();
        store().removeExpirySubscriber("mail");
        reopen();
        assertThat(store().expirySubscribers()).isEmpty();
    }

    @Test
    void aRetryThatWasPutOffByAClockThatWasWrongIsNotWaitedForLongerThanTheLongestDelay() {
        advanceMillis(Duration.ofDays(730).toMillis());
        reopen();
        subscribe(new Handled(entry -> {
            throw new IllegalStateException("on purpose");
        }));
        for (String value : List.of("first", "second")) {
            group().put("key", value, Duration.ofMillis(1));
            advanceMillis(1);
            store().purgeExpired();
        }
        Awaitility.await().until(() -> store().expirySubscribers().get(0).failures() == 1);
        store().close();
        advanceMillis(-Duration.ofDays(730).toMillis());
        reopen();
        subscribe(handled);
        Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> {
            advanceMillis(10_000);
            store().purgeExpired();
            return handled.entries().size() == 2;
        });
        assertThat(handled.entries()).extracting(ExpiredEntry::value).containsExactly("first", "second");
        assertThat(clock.instant()).isBefore(MovableClock.START.plus(Duration.ofDays(7)));
    }

    @Test
    void whatASlowHandlerHasLeftIsNotDroppedWhileTheApplicationStarts() {
        ExpirySettings settings = ExpirySettings.defaults().withMaxBacklog(10);
        open(settings().expiry(settings));
        subscribe(handled).close();
        for (int i = 0; i < 100; i++) {
            group().put("key" + i, "value", Duration.ofMillis(1));
        }
        advanceMillis(1);
        store().purgeExpired();
        advanceMillis(Duration.ofMinutes(4).toMillis());
        open(settings().expiry(settings));
        advanceMillis(Duration.ofMinutes(4).toMillis());
        Handled other = new Handled();
        Subscription unused = store().onExpired("another", "group", other);
        for (int i = 0; i < 2; i++) {
            group().put("key", "value", Duration.ofMillis(1));
            advanceMillis(1);
            store().purgeExpired();
            other.awaitCount(i + 1); // the second time there has been a look at what waits
        }
        subscribe(handled);
        handled.awaitCount(102);
    }

    private Subscription subscribe(Handled handler) {
        return store().onExpired("mail", "group", handler);
    }
}
