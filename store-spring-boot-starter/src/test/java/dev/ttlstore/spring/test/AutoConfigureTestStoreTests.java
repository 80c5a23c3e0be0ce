package dev.ttlstore.spring.test;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import dev.ttlstore.Entry;
import dev.ttlstore.Store;
import dev.ttlstore.StoreStats;
import dev.ttlstore.TextGroup;
import dev.ttlstore.exception.ValueTooLargeException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** A whole application with a store in memory and a clock that the test moves. */
@Tag("variant")
@SpringBootTest(
        properties = {
            "store.path=" + AutoConfigureTestStoreTests.PATH,
            "store.max-value-size=1KB",
            "store.expiry.first-delay=1m"
        })
@AutoConfigureTestStore
class AutoConfigureTestStoreTests {

    static final String PATH = "target/never-made/store.db";

    @Autowired
    private Store store;

    @Autowired
    private TestClock clock;

    @Autowired
    private InstantSource injected;

    @Autowired
    private Clock injectedClock;

    @Autowired
    private ToldExpiries told;

    @BeforeEach
    void forget() {
        store.deletePrefix("");
        // The expiries of an earlier test may still be on their way.
        await().until(() -> store.expirySubscribers().stream().allMatch(subscriber -> subscriber.pending() == 0));
        told.listened.clear();
        told.subscribed.clear();
    }

    private TextGroup invites() {
        return store.group("invites");
    }

    @Test
    void theStoreIsInMemory() {
        assertThat(store.stats()).extracting(StoreStats::path).isNull();
        assertThat(Path.of(PATH).getParent()).doesNotExist();
    }

    @Test
    void theStoreKeepsTheApplicationsLimitsAndCodecs() {
        record Invite(String mail) {}
        store.group("json", Invite.class).put("key", new Invite("ann@example.org"));
        assertThat(store.group("json").get("key")).contains("{\"mail\":\"ann@example.org\"}");
        assertThatExceptionOfType(ValueTooLargeException.class)
                .isThrownBy(() -> invites().put("key", "x".repeat(1025)));
    }

    @Test
    void timeStandsStillUntilTheTestMovesIt() {
        Instant now = clock.instant();
        invites().put("key", "value", Duration.ofMillis(1));
        assertThat(invites().entry("key")).map(Entry::expiresAt).contains(now.plusMillis(1));
        assertThat(invites().contains("key")).isTrue();
        clock.advance(Duration.ofMillis(1));
        assertThat(invites().contains("key")).isFalse();
    }

    @Test
    void theClockIsThatOfTheApplication() {
        assertThat(injected).isSameAs(clock);
        assertThat(injectedClock).isSameAs(clock);
    }

    @Test
    void listenersHaveBeenToldWhenTheMoveReturns() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) { // several commits, and the store's own timer has its share
            String key = "key-" + i;
            keys.add(key);
            invites().put(key, "value", Duration.ofMinutes(10));
        }
        clock.advance(Duration.ofMinutes(9));
        assertThat(told.listened).isEmpty();
        clock.set(clock.instant().plus(Duration.ofMinutes(1)));
        assertThat(told.listened).containsExactlyInAnyOrderElementsOf(keys);
    }

    @Test
    void anExpiryByCommandIsToldAsInTheApplication() {
        invites().put("key", "value", Duration.ofMinutes(10));
        invites().expireAllNow();
        await().untilAsserted(() -> assertThat(told.listened).containsExactly("key"));
    }

    @Test
    void subscribersAreCalled() {
        invites().put("key", "value", Duration.ofMinutes(10));
        clock.advance(Duration.ofMinutes(10));
        await().untilAsserted(() -> assertThat(told.subscribed).containsExactly("key"));
    }

    @Test
    void aRetryWaitsForTheClock() {
        invites().put("key", "busy", Duration.ofMinutes(10));
        clock.advance(Duration.ofMinutes(10));
        await().until(() -> store.expirySubscribers().get(0).pending() == 1);
        // The delay counts from when the failure is noted, so that the clock may have to be moved again.
        await().untilAsserted(() -> {
            clock.advance(Duration.ofMinutes(2));
            assertThat(told.subscribed).containsExactly("key");
        });
    }

    @Nested
    class InANestedClass {

        @Autowired
        private Store nestedStore;

        @Autowired
        private TestClock nestedClock;

        @Test
        void theStoreAndTheClockAreThoseOfTheClassAround() {
            assertThat(nestedStore).isSameAs(store);
            assertThat(nestedClock).isSameAs(clock);
        }
    }
}
