package dev.ttlstore.spring.test;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import dev.ttlstore.Store;

import static org.assertj.core.api.Assertions.assertThat;

/** What each of two classes with equal configurations finds, whichever comes first. */
@SpringBootTest
@AutoConfigureTestStore(startAt = "2030-01-01T00:00:00Z")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class NewStore {

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    @Autowired
    private Store store;

    @Autowired
    private TestClock clock;

    @Test
    @Order(1)
    void aClassBeginsWithTheEntriesOfTheApplicationAloneAndAtTheStart() {
        assertThat(clock.instant()).isEqualTo(START);
        assertThat(store.count()).isOne();
        assertThat(store.group("invites").get("first")).contains("founder@example.org");
        store.group("invites").delete("first");
        store.group("left").put("key", "value", Duration.ofDays(2));
        clock.advance(Duration.ofDays(1));
    }

    @Test
    @Order(2)
    void entriesAndTimeStayFromOneMethodToTheNext() {
        assertThat(clock.instant()).isEqualTo(START.plus(Duration.ofDays(1)));
        assertThat(store.group("left").get("key")).contains("value");
        assertThat(store.group("invites").contains("first")).isFalse();
    }
}
