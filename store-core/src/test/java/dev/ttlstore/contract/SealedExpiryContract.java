package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.expiry.DeadLetter;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.expiry.ExpirySettings;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Sealed values that expire. */
abstract class SealedExpiryContract extends SealedArea {

    @Test
    @Promise(17)
    void anExpiryHandlerGetsTheValueOpened() {
        Handled handled = new Handled();
        Subscription subscription = store().scope("acme").onExpired("mail", "group", handled);
        store().scope("acme").group("group").put("key", PLAIN, Duration.ofMillis(1));
        advanceMillis(1);
        store().purgeExpired();
        handled.await("key");
        assertThat(handled.entries().get(0).value()).isEqualTo(PLAIN);
        subscription.close();
    }

    @Test
    @Promise(17)
    void anExpiryWhoseValueDoesNotOpenIsAFailureThatIsTriedAgain() {
        Handled handled = new Handled();
        Subscription subscription = store().onExpired("mail", "group", handled);
        store().group("other").put("bad", PLAIN);
        byte[] bytes = stored(store(), "other").get("bad").orElseThrow();
        stored(store(), "group").put("bad", bytes, Duration.ofMillis(1));
        advanceMillis(1);
        store().purgeExpired();
        Awaitility.await().until(() -> store().expirySubscribers().get(0).failures() == 1);
        assertThat(store().expirySubscribers().get(0).pending()).isEqualTo(1);
        assertThat(handled.entries()).isEmpty();
        subscription.close();
    }

    @Test
    @Promise(17)
    void anExpiryWhoseValueDoesNotOpenIsHandledAtOnceByWhoNeedsNoneAndADeadLetterOfWhoDoes() {
        open(settings()
                .encrypt(this::isEncrypted, cipher)
                .expiry(ExpirySettings.defaults().withMaxAttempts(1)));
        Handled handled = new Handled();
        List<ExpiredEntry<Void>> told = new CopyOnWriteArrayList<>();
        Subscription wanting = store().onExpired("mail", "group", handled);
        Subscription doingWithout = store().onExpired("count", "group", Void.class, told::add);
        fillWithBad();
        group().expire("bad", Duration.ofMillis(1));
        advanceMillis(1);
        store().purgeExpired();
        Awaitility.await().until(() -> store().deadLetters("mail").count() == 1 && told.size() == 1);
        assertThat(told)
                .singleElement()
                .extracting(ExpiredEntry::key, ExpiredEntry::attempt)
                .containsExactly("bad", 1);
        assertThat(handled.entries()).isEmpty();
        assertThat(store().deadLetters("mail").stream().map(DeadLetter::lastError))
                .allMatch(error -> error.startsWith(SealedValueException.class.getName()));
        assertThat(store().deadLetters("count").count()).isZero();
        wanting.close();
        doingWithout.close();
    }

    @Test
    void anExpiredEntryIsOpenedForAnAudit() {
        open(settings().encrypt(this::isEncrypted, cipher).retention(HOUR));
        store().scope("acme").group("group").put("key", PLAIN, Duration.ofMillis(1));
        store().group("free").put("key", PLAIN, Duration.ofMillis(1));
        advanceMillis(1);
        assertExpired();
        store().purgeExpired();
        assertExpired();
        assertThat(store().scope("acme").expired(Instant.MIN, Instant.MAX))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.group()).isEqualTo("group");
                    assertThat(entry.value(Codec.text())).isEqualTo(PLAIN);
                });
    }

    private void assertExpired() {
        assertThat(store().expired(Instant.MIN, Instant.MAX))
                .hasSize(2)
                .allSatisfy(entry -> assertThat(entry.value(Codec.text())).isEqualTo(PLAIN));
    }
}
