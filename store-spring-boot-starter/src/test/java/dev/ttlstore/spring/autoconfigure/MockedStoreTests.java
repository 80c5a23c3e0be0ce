package dev.ttlstore.spring.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import dev.ttlstore.Counters;
import dev.ttlstore.Group;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.spring.endpoint.StoreEndpoint;
import dev.ttlstore.spring.expiry.OnExpiry;
import dev.ttlstore.spring.health.StoreHealthIndicator;
import dev.ttlstore.spring.purge.StorePurgeJob;

import io.micrometer.core.instrument.MeterRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

/** A test that mocks the store, whose methods then answer null, has everything that the starter configures. */
@Tag("variant")
@SpringBootTest(
        properties = {
            "management.endpoints.web.exposure.include=*",
            "store.groups.invites.metrics=true",
            "store.scopes.acme.quota.max-keys=10",
            "store.purge-interval=20ms"
        })
@DirtiesContext
class MockedStoreTests {

    @MockitoBean
    private Store store;

    @Autowired
    private Users users;

    @Autowired
    private Counting counting;

    @Autowired
    private ApplicationContext context;

    @Test
    void theApplicationStartsWithAllThatIsConfigured() {
        assertThat(context.getBeanProvider(MeterRegistry.class)).isNotEmpty();
        assertThat(context.getBeanProvider(StoreEndpoint.class)).isNotEmpty();
        assertThat(context.getBean(StorePreloading.class).hasBegun()).isFalse();
    }

    @Test
    void itsHealthIsUnknown() {
        assertThat(context.getBean(StoreHealthIndicator.class).health(true))
                .extracting(Health::getStatus)
                .isEqualTo(Status.UNKNOWN);
    }

    @Test
    void noPurgeCallsItWhileATestStubs() {
        context.getBean(StorePurgeJob.class).purge();
        verify(store, never()).purgeExpired();
    }

    @Test
    void aDeclaredGroupIsTheOneThatTheTestStubs() {
        assertThatIllegalStateException()
                .isThrownBy(() -> users.invites().get("key"))
                .withMessageContaining("is a mock")
                .withMessageContaining("Stub that call");
        TextGroup stubbed = mock(TextGroup.class);
        when(stubbed.get("key")).thenReturn(Optional.of("value"));
        when(store.group("invites", String.class)).thenReturn(stubbed);
        assertThat(users.invites().get("key")).contains("value");
    }

    @Test
    void declaredTextsAndCountersAreTheOnesThatTheTestStubs() {
        assertThatIllegalStateException()
                .isThrownBy(() -> counting.calls().increment("key"))
                .withMessageContaining("counters(\"invites\")");
        Counters counters = mock(Counters.class);
        when(counters.increment("key")).thenReturn(7L);
        when(store.counters("invites")).thenReturn(counters);
        assertThat(counting.calls().increment("key")).isEqualTo(7);
        TextGroup texts = mock(TextGroup.class);
        when(texts.get("key")).thenReturn(Optional.of("text"));
        when(store.group("invites")).thenReturn(texts);
        assertThat(counting.texts().get("key")).contains("text");
    }

    record Counting(Counters calls, TextGroup texts) {}

    record Users(Group<String> invites, Scope acme, List<String> expired) {

        @OnExpiry(subscriber = "a", group = "invites")
        void first(String value) {
            expired.add(value);
        }

        @OnExpiry(subscriber = "b", group = "drafts", scope = "acme")
        void second(String value) {
            expired.add(value);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Users users(@Qualifier("invites") Group<String> invites, @Qualifier("acme") Scope acme) {
            return new Users(invites, acme, new ArrayList<>());
        }

        @Bean
        Counting counting(@Qualifier("invites") Counters calls, @Qualifier("invites") TextGroup texts) {
            return new Counting(calls, texts);
        }
    }
}
