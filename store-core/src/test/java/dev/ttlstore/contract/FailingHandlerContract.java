package dev.ttlstore.contract;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.expiry.DeadLetter;
import dev.ttlstore.expiry.DeadLetters;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.expiry.ExpirySettings;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.stream.Collectors.joining;

/** What becomes of an expiry whose handler throws, or does not come to an end. */
@Promise(17)
abstract class FailingHandlerContract extends ContractArea {

    private final AtomicInteger calls = new AtomicInteger();

    @BeforeEach
    void setThreeAttempts() {
        open(settings()
                .expiry(ExpirySettings.defaults()
                        .withMaxAttempts(3)
                        .withDelays(Duration.ofSeconds(10), Duration.ofMinutes(1))));
    }

    @Test
    void aHandlerThatThrowsIsCalledAgainAfterADelay() {
        Handled handled = new Handled(entry -> {
            calls.incrementAndGet();
            if (entry.attempt() == 1) {
                throw new IOException("on purpose");
            }
        });
        subscribe(handled);
        expire("key");
        letTimeGoOnUntil(() -> handled.entries().size() == 1);
        assertThat(calls).hasValue(2);
        assertThat(handled.entries()).extracting(ExpiredEntry::attempt).containsExactly(2);
        Awaitility.await().until(() -> store().expirySubscribers().get(0).pending() == 0);
        assertThat(deadLetters().count()).isZero();
    }

    @Test
    void afterItsLastAttemptAnExpiryIsADeadLetter() {
        subscribe(new Handled(this::fail));
        expire("key");
        fail(3);
        assertThat(deadLetters().stream()).singleElement().satisfies(letter -> {
            assertThat(letter.subscriber()).isEqualTo("mail");
            assertThat(letter.group()).isEqualTo("group");
            assertThat(letter.key()).isEqualTo("key");
            assertThat(letter.attempts()).isEqualTo(3);
            assertThat(letter.lastError())
                    .startsWith("java.lang.IllegalStateException at dev.ttlstore.contract.FailingHandlerContract.fail(")
                    .doesNotContain("on purpose");
            assertThat(letter.toString()).doesNotContain("key", "purpose");
        });
        advanceMillis(Duration.ofDays(1).toMillis());
        store().purgeExpired();
        assertThat(calls).hasValue(3);
        assertThat(store().expirySubscribers()).singleElement().satisfies(subscriber -> {
            assertThat(subscriber.pending()).isZero();
            assertThat(subscriber.oldest()).isNull();
            assertThat(subscriber.deadLetters()).isEqualTo(1);
        });
    }

    @Test
    void anErrorIsAFailureToo() {
        subscribe(new Handled(entry -> {
            calls.incrementAndGet();
            throw new AssertionError(new DeeplyNested(20));
        }));
        expire("key");
        fail(3);
        assertThat(deadLetters().stream())
                .singleElement()
                .extracting(DeadLetter::lastError)
                .asString()
                .startsWith("java.lang.AssertionError at ")
                .hasSizeLessThan(1_100);
    }

    @Test
    void aValueThatCannotBeDecodedIsKeptAsADeadLetter() {
        Subscription unused = store().onExpired("mail", "group", Codec.longs(), entry -> calls.incrementAndGet());
        expire("key");
        letTimeGoOnUntil(() -> deadLetters().count() == 1);
        assertThat(calls).hasValue(0);
        assertThat(deadLetters().stream().map(DeadLetter::lastError))
                .allMatch(error ->
                        error.startsWith("dev.ttlstore.exception.CodecException") && !error.contains("the value"));
    }

    @Test
    void deadLettersCanBeTriedAgain() {
        Handled handled = new Handled(entry -> {
            if (calls.incrementAndGet() <= 6) {
                throw new IllegalStateException("on purpose");
            }
        });
        subscribe(handled);
        expire("one", "two");
        fail(6);
        List<DeadLetter> letters = deadLetters().stream().toList();
        assertThat(letters).hasSize(2);
        assertThat(deadLetters().retry(letters.get(0).id())).isTrue();
        handled.await(letters.get(0).key());
        assertThat(handled.entries()).extracting(ExpiredEntry::attempt).containsExactly(1);
        Awaitility.await().until(() -> !deadLetters().retry(letters.get(0).id()));
        assertThat(deadLetters().retryAll()).isEqualTo(1);
        handled.await("one", "two");
        Awaitility.await().until(() -> store().expirySubscribers().get(0).pending() == 0);
        assertThat(deadLetters().retryAll()).isZero();
    }

    @Test
    void deadLettersCanBeDiscarded() {
        subscribe(new Handled(this::fail));
        expire("one", "two", "three");
        fail(9);
        List<DeadLetter> letters = deadLetters().stream().toList();
        assertThat(deadLetters().discard(letters.get(1).id())).isTrue();
        assertThat(deadLetters().discard(letters.get(1).id())).isFalse();
        assertThat(deadLetters().discard(0)).isFalse();
        assertThat(deadLetters().retry(0)).isFalse();
        assertThat(deadLetters().stream()).containsExactly(letters.get(0), letters.get(2));
        assertThat(deadLetters().discardAll()).isEqualTo(2);
        assertThat(deadLetters().count()).isZero();
    }

    @Test
    void deadLettersOfOneAreNotThoseOfAnother() {
        subscribe(new Handled(this::fail));
        expire("key");
        fail(3);
        DeadLetter letter = deadLetters().stream().findFirst().orElseThrow();
        DeadLetters others = store().deadLetters("another");
        assertThat(others.stream()).isEmpty();
        assertThat(others.retry(letter.id())).isFalse();
        assertThat(others.discard(letter.id())).isFalse();
        assertThat(others.retryAll() + others.discardAll()).isZero();
        assertThat(deadLetters().count()).isEqualTo(1);
    }

    @Test
    void otherKeysAreNotHeldUpByOneThatFails() {
        Handled handled = new Handled(entry -> {
            if (entry.key().equals("bad")) {
                fail(entry);
            }
        });
        subscribe(handled);
        expire("bad", "good", "also good");
        handled.await("good", "also good");
    }

    @Test
    void aLaterExpiryOfAKeyWaitsForTheEarlierOne() {
        Handled handled = new Handled(entry -> {
            if (entry.value().equals("the value") && calls.incrementAndGet() <= 1) {
                throw new IllegalStateException("on purpose");
            }
        });
        subscribe(handled);
        expire("key");
        Awaitility.await().until(() -> calls.get() == 1);
        group().put("key", "another value", Duration.ofMillis(1));
        letTimeGoOnUntil(() -> handled.entries().size() == 2);
        assertThat(handled.entries()).extracting(ExpiredEntry::value).containsExactly("the value", "another value");
    }

    @Test
    void whenAnExpiryIsADeadLetterTheNextOfItsKeyGoesOn() {
        Handled handled = new Handled(entry -> {
            if (entry.value().equals("the value")) {
                fail(entry);
            }
        });
        subscribe(handled);
        expire("key");
        fail(3);
        group().put("key", "another value", Duration.ofMillis(1));
        advanceMillis(1);
        store().purgeExpired();
        handled.await("key");
    }

    @Test
    void aDeadLetterThatIsTriedAgainWaitsForOneOfItsKeyThatIsInItsHandlerAndComesBeforeOthers() {
        open(settings().expiry(ExpirySettings.defaults().withMaxAttempts(1)));
        CountDownLatch in = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Handled handled = new Handled(entry -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("on purpose");
            }
            if (entry.value().equals("second")) {
                in.countDown();
                Threads.await(goOn);
            }
        });
        subscribe(handled);
        expireWith("key", "first");
        Awaitility.await().until(() -> deadLetters().count() == 1);
        expireWith("key", "second");
        Threads.await(in);
        expireWith("key", "third");
        assertThat(deadLetters().retryAll()).isEqualTo(1);
        expireWith("other", "value");
        handled.await("other"); // so there has been a look at what is due
        assertThat(calls).hasValue(3);
        goOn.countDown();
        handled.awaitCount(4);
        assertThat(handled.entries())
                .extracting(ExpiredEntry::value)
                .containsExactly("value", "second", "first", "third");
    }

    @Test
    void deadLettersOfOneKeyThatAreTriedAgainTogetherComeInOrder() {
        open(settings().expiry(ExpirySettings.defaults().withMaxAttempts(1)));
        Handled handled = new Handled(entry -> {
            if (calls.incrementAndGet() <= 3) {
                throw new IllegalStateException("on purpose");
            }
        });
        subscribe(handled);
        for (String value : List.of("first", "second", "third")) {
            expireWith("key", value);
        }
        Awaitility.await().until(() -> deadLetters().count() == 3);
        assertThat(deadLetters().retryAll()).isEqualTo(3);
        handled.awaitCount(3);
        assertThat(handled.entries()).extracting(ExpiredEntry::value).containsExactly("first", "second", "third");
    }

    @Test
    void whatIsThrownMayBeUnableToTellOfItself() {
        subscribe(new Handled(entry -> {
            calls.incrementAndGet();
            throw new UntellableException();
        }));
        expire("key");
        fail(3);
        assertThat(deadLetters().stream())
                .singleElement()
                .extracting(DeadLetter::lastError)
                .asString()
                .startsWith(UntellableException.class.getName());
    }

    @Test
    @Promise(12)
    void whatAMessageQuotesIsNeitherStoredNorLogged() {
        try (LogRecorder log = new LogRecorder("dev.ttlstore", Level.INFO)) {
            subscribe(new Handled(entry -> {
                calls.incrementAndGet();
                throw new IllegalStateException(
                        "quoted " + entry.value(), new IllegalArgumentException("also " + entry.value()));
            }));
            Subscription listener = store().onChange(event -> {
                throw new IllegalStateException("quoted the value");
            });
            expire("key");
            fail(3);
            assertThat(deadLetters().stream())
                    .singleElement()
                    .extracting(DeadLetter::lastError)
                    .asString()
                    .contains("IllegalStateException at ", "; caused by java.lang.IllegalArgumentException at ")
                    .doesNotContain("the value");
            assertThat(log.events().stream().map(FailingHandlerContract::whole).collect(joining("\n")))
                    .contains("dead letter", "A listener has failed", "IllegalStateException")
                    .doesNotContain("the value", "quoted");
            listener.close();
        }
    }

    private static String whole(ILoggingEvent event) {
        String trace = event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy());
        return event.getFormattedMessage() + "\n" + trace;
    }

    /** Has many causes. */
    private static final class DeeplyNested extends RuntimeException {
        private static final long serialVersionUID = 1;

        private DeeplyNested(int depth) {
            super("x".repeat(100), depth == 0 ? null : new DeeplyNested(depth - 1));
        }
    }

    /** Its cause fails, and so does all that is made with it. */
    private static final class UntellableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("on purpose");
        }
    }

    @Test
    void ofTwoSubscribersOneMayFail() {
        Handled other = new Handled();
        subscribe(new Handled(this::fail));
        Subscription unused = store().onExpired("audit", "group", other);
        expire("key");
        other.await("key");
        fail(3);
        assertThat(other.entries()).hasSize(1);
        assertThat(store().deadLetters("audit").count()).isZero();
    }

    @Test
    void aHandlerThatDoesNotReturnInTimeIsInterruptedAndHasFailed() {
        open(settings().expiry(ExpirySettings.defaults().withMaxAttempts(1).withTimeout(Duration.ofMillis(20))));
        CountDownLatch never = new CountDownLatch(1);
        Handled handled = new Handled(entry -> {
            if (entry.key().equals("hangs")) {
                never.await();
            }
        });
        subscribe(handled);
        expire("hangs", "works");
        handled.await("works");
        Awaitility.await().until(() -> deadLetters().count() == 1);
        assertThat(deadLetters().stream())
                .singleElement()
                .extracting(DeadLetter::lastError)
                .asString()
                .contains("within PT0.02S");
    }

    @Test
    void aHandlerThatReturnsTooLateHasFailedAndTheInterruptIsForItAlone() {
        open(settings()
                .expiry(ExpirySettings.defaults()
                        .withConcurrency(1)
                        .withMaxAttempts(1)
                        .withTimeout(Duration.ofMillis(20))));
        AtomicInteger interrupted = new AtomicInteger();
        Handled handled = new Handled(entry -> {
            if (entry.key().equals("late")) {
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
            } else if (Thread.currentThread().isInterrupted()) {
                interrupted.incrementAndGet();
            }
        });
        subscribe(handled);
        expire("late", "next");
        handled.awaitCount(2);
        Awaitility.await().until(() -> deadLetters().count() == 1);
        assertThat(interrupted).hasValue(0);
    }

    @Test
    @Promise(22)
    void closingDoesNotWaitForAHandlerForEver() {
        open(settings().expiry(ExpirySettings.defaults().withTimeout(Duration.ofMillis(200))));
        CountDownLatch in = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        Subscription unused = store().onExpired("mail", "group", entry -> {
            in.countDown();
            while (!over.await(10, TimeUnit.MILLISECONDS)) {
                boolean ignored = Thread.interrupted();
            }
        });
        expire("key");
        Threads.await(in);
        store().close();
        over.countDown();
    }

    private void subscribe(Handled handled) {
        Subscription unused = store().onExpired("mail", "group", handled);
    }

    private void fail(ExpiredEntry<String> entry) {
        calls.incrementAndGet();
        throw new IllegalStateException("on purpose");
    }

    /** Lets time go on until there have been so many failing calls, and all that failed is set aside. */
    private void fail(int failures) {
        letTimeGoOnUntil(() -> calls.get() == failures
                && store().deadLetters("mail").count() > 0
                && store().expirySubscribers().stream().allMatch(subscriber -> subscriber.pending() == 0));
    }

    private void letTimeGoOnUntil(Callable<Boolean> condition) {
        Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> {
            advanceMillis(10_000);
            store().purgeExpired();
            return condition.call();
        });
    }

    private DeadLetters deadLetters() {
        return store().deadLetters("mail");
    }

    private void expireWith(String key, String value) {
        group().put(key, value, Duration.ofMillis(1));
        advanceMillis(1);
        store().purgeExpired();
    }

    private void expire(String... keys) {
        for (String key : keys) {
            group().put(key, "the value", Duration.ofMillis(1));
        }
        advanceMillis(1);
        store().purgeExpired();
    }
}
