package dev.ttlstore.spring.autoconfigure;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.Answers;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import dev.ttlstore.Store;
import dev.ttlstore.StoreActivity;
import dev.ttlstore.spring.health.StoreHealthIndicator;
import dev.ttlstore.spring.purge.StorePurgeJob;

import io.micrometer.core.instrument.MeterRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

/** A test that mocks the store with deep stubs, whose methods answer with mocks, and those with null, zero or nothing. */
@Tag("variant")
@SpringBootTest(
        properties = {
            "store.groups.invites.metrics=true",
            "store.scopes.acme.quota.max-keys=10",
            "store.purge-interval=20ms"
        })
@DirtiesContext
class DeepStubStoreTests {

    @MockitoBean(answers = Answers.RETURNS_DEEP_STUBS)
    private Store store;

    @Autowired
    private ApplicationContext context;

    @Test
    void itsHealthIsUnknownAndItHasNoMeters() {
        assertThat(context.getBean(StoreHealthIndicator.class).health(true))
                .extracting(Health::getStatus)
                .isEqualTo(Status.UNKNOWN);
        assertThat(context.getBean(MeterRegistry.class).find("store.entries").gauge())
                .isNull();
    }

    @Test
    void noPurgeCallsItWhileATestStubs() {
        context.getBean(StorePurgeJob.class).purge();
        verify(store, never()).purgeExpired();
    }

    @Test
    void theTestStubsWhatItWants() {
        when(store.scope("acme").group("notes").count()).thenReturn(3L);
        assertThat(store.scope("acme").group("notes").count()).isEqualTo(3);
    }

    @Test
    void aStoreOfWhichATestStubsOnlyTheActivityIsAMockToo() {
        StoreActivity activity = store.activity();
        Store plain = mock(Store.class);
        when(plain.activity()).thenReturn(activity);
        assertThat(plain.group("mock")).isNull();
        assertThat(StoresOfContext.isMock(plain)).isTrue();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
