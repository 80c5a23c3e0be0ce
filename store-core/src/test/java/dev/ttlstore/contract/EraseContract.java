package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.GroupPattern;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Usage;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.expiry.ExpirySettings;
import dev.ttlstore.expiry.ExpirySubscriber;

import static dev.ttlstore.contract.Assertions.assertThat;

/** The removal of all that is stored of a tenant. */
@Promise(18)
abstract class EraseContract extends ContractArea {

    private static final Duration TTL = Duration.ofMillis(10);

    @BeforeEach
    void retain() {
        open(settings()
                .retention(Duration.ofDays(1))
                .expiry(ExpirySettings.defaults().withMaxAttempts(1)));
    }

    private Scope scope(String namespace) {
        return store().scope(namespace);
    }

    private static void fail() {
        throw new IllegalStateException("on purpose");
    }

    /** Leaves a live entry, two retained ones, and their expiries as dead letters and waiting in a line. */
    private void fill(String namespace) {
        Scope scope = scope(namespace);
        scope.group("group").put("live", "secret");
        scope.onExpired("absent", "group", new Handled()).close();
        Subscription failing = scope.onExpired("failing", "group", new Handled(entry -> fail()));
        for (int i = 1; i <= 2; i++) {
            long dead = i;
            scope.group("group").put("key", "secret", TTL);
            clock.advance(TTL);
            store().purgeExpired();
            Awaitility.await().until(() -> scope.deadLetters("failing").count() == dead);
        }
        failing.close();
    }

    private static List<ExpirySubscriber> withDeliveries(List<ExpirySubscriber> all) {
        return all.stream()
                .filter(subscriber -> subscriber.pending() + subscriber.deadLetters() > 0)
                .toList();
    }

    private static List<String> expired(Scope scope) {
        return scope.expired(Instant.MIN, Instant.MAX)
                .map(entry -> entry.value(Codec.text()))
                .toList();
    }

    @Test
    void nothingOfAnErasedScopeIsLeft() {
        store().onExpiredMatching("central", GroupPattern.inEveryScope("group"), Void.class, entry -> {})
                .close();
        fill("acme");
        fill("acme-2");
        Scope acme = scope("acme");
        acme.group("group").put("expired", "secret", TTL);
        acme.group("other").put("expired", "secret", TTL);
        clock.advance(TTL);
        assertThat(withDeliveries(acme.expirySubscribers())).hasSize(2);
        acme.erase();
        assertThat(acme.groups()).isEmpty();
        assertThat(acme.usage()).isEqualTo(new Usage(0, 0, 0));
        assertThat(expired(acme)).isEmpty();
        assertThat(withDeliveries(acme.expirySubscribers())).isEmpty();
        assertThat(acme.expirySubscribers()).hasSize(2);
        assertThat(acme.deadLetters("failing").stream()).isEmpty();
        assertThat(store().expirySubscribers())
                .filteredOn(subscriber -> subscriber.name().equals("central"))
                .singleElement()
                .satisfies(central -> assertThat(central.pending()).isEqualTo(2));
    }

    @Test
    void otherScopesKeepAllThatTheyHave() {
        fill("acme");
        fill("acme-2");
        store().group("acme").put("key", "value");
        scope("acme").erase();
        Scope other = scope("acme-2");
        assertThat(other.group("group").get("live")).contains("secret");
        assertThat(expired(other)).containsExactly("secret", "secret");
        assertThat(store().stats().retained()).isEqualTo(2);
        assertThat(other.deadLetters("failing").count()).isEqualTo(2);
        assertThat(withDeliveries(other.expirySubscribers())).hasSize(2);
        assertThat(store().group("acme").get("key")).contains("value");
    }

    @Test
    void anErasedScopeCanBeUsedAgain() {
        Scope acme = store().scope("acme", new Quota(1, 0, 0));
        acme.group("group").put("key", "value");
        acme.erase();
        acme.erase();
        Handled handled = new Handled();
        Subscription unused = acme.onExpired("mail", "group", handled);
        acme.group("group").put("again", "value", TTL);
        clock.advance(TTL);
        store().purgeExpired();
        handled.await("again");
        assertThat(acme.quota()).isEqualTo(new Quota(1, 0, 0));
    }
}
