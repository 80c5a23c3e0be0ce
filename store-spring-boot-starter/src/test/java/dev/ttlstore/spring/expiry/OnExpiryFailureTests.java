package dev.ttlstore.spring.expiry;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.exception.TransactionConflictException;
import dev.ttlstore.expiry.ExpiredEntry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Methods with {@code @OnExpiry} that throw: they are called again, or leave a dead letter. */
@Tag("variant")
class OnExpiryFailureTests extends ExpiringApplication {

    @Test
    void aConflictOfTheMethodsTransactionIsNoFailureAndTheMethodIsCalledAgainAtOnce() {
        runner().withBean(ConflictingHandler.class, () -> new ConflictingHandler(told, new AtomicInteger()))
                .withPropertyValues("store.expiry.first-delay=1h", "store.expiry.max-delay=1h")
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    store.group("invites").put("key", "value", Duration.ofSeconds(1));
                    expireAll(store);
                    awaitTold("value after 2 conflicts");
                    await().untilAsserted(() -> assertThat(store.expirySubscribers())
                            .singleElement()
                            .satisfies(subscriber -> {
                                assertThat(subscriber.handled()).isEqualTo(1);
                                assertThat(subscriber.failures()).isZero();
                            }));
                });
    }

    @Test
    void aMethodThatThrowsIsCalledAgain() {
        runner().withBean(FailingHandler.class).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("texts").put("key", "text", Duration.ofSeconds(1));
            expireAll(store);
            await().until(() -> told.contains("attempt 1"));
            // Again and again, because the delay counts from when the failure is noted.
            await().until(() -> {
                now = now.plusSeconds(1);
                return told.size() > 1;
            });
            awaitTold("attempt 1", "attempt 2");
        });
    }

    @Test
    void aDeadLetterNamesWhatTheMethodThrew() {
        runner().withBean(FailingHandler.class)
                .withPropertyValues("store.expiry.max-attempts=1")
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    store.group("texts").put("key", "text", Duration.ofSeconds(1));
                    expireAll(store);
                    await().until(() -> store.deadLetters("mail").count() == 1);
                    assertThat(store.deadLetters("mail").stream().toList())
                            .singleElement()
                            .satisfies(letter -> assertThat(letter.lastError()).startsWith("java.io.IOException at "));
                });
    }

    record FailingHandler(List<Object> told) {

        @OnExpiry(subscriber = "mail", group = "texts")
        void onExpired(ExpiredEntry<String> entry) throws IOException {
            told.add("attempt " + entry.attempt());
            if (entry.attempt() == 1) {
                throw new IOException("on purpose");
            }
        }
    }

    record ConflictingHandler(List<Object> told, AtomicInteger conflicts) {

        @OnExpiry(subscriber = "conflicting", group = "invites")
        void handle(String value) {
            if (conflicts.get() < 2) {
                conflicts.incrementAndGet();
                throw new TransactionConflictException("A row has changed", new IllegalStateException());
            }
            told.add(value + " after " + conflicts + " conflicts");
        }
    }
}
