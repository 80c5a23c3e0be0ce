package dev.ttlstore.spring.test;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;

import dev.ttlstore.Store;
import dev.ttlstore.spring.purge.StorePurgeJob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A slice leaves out what it does not know, the store among it. */
@JsonTest
@AutoConfigureTestStore
@Import(ToldExpiries.class)
class TestStoreInSliceTests {

    @Autowired
    private Store store;

    @Autowired
    private TestClock clock;

    @Autowired
    private ToldExpiries told;

    @Autowired
    private ApplicationContext context;

    record Invite(String mail) {}

    @Test
    void theStoreWorksWithJsonValuesEventsAndSubscribers() {
        store.group("json", Invite.class).put("json", new Invite("ann@example.org"), Duration.ofDays(1));
        store.group("invites").put("text", "value", Duration.ofDays(1));
        clock.advance(Duration.ofDays(1));
        assertThat(told.listened).containsExactlyInAnyOrder("json", "text");
        await().untilAsserted(() -> assertThat(told.subscribed).containsExactly("text"));
    }

    @Test
    void thereIsNoPurgeJob() {
        assertThat(context.getBeanProvider(StorePurgeJob.class)).isEmpty();
    }
}
