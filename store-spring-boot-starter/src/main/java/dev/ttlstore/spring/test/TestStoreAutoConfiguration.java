package dev.ttlstore.spring.test;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;

import com.google.crypto.tink.Aead;

import dev.ttlstore.Store;
import dev.ttlstore.ValueCipher;
import dev.ttlstore.spring.autoconfigure.StoreBuilderCustomizer;
import dev.ttlstore.spring.encryption.OnEncryptedGroupsCondition;
import dev.ttlstore.spring.encryption.StoreEncryptionAutoConfiguration;
import dev.ttlstore.spring.encryption.TinkValueCipher;

/**
 * Auto-configuration for {@link AutoConfigureTestStore}. Only that annotation imports it.
 *
 * @since 0.1
 * @see AutoConfigureTestStore
 */
@AutoConfiguration(before = StoreEncryptionAutoConfiguration.class)
public final class TestStoreAutoConfiguration {

    private static final String START_AT = "store.test.start-at";

    TestStoreAutoConfiguration() {}

    /**
     * The clock purges the stores after each move, because their own threads read the clock only from time to time.
     */
    @Bean
    @Primary
    TestClock ttlStoreTestClock(Environment environment, ObjectProvider<Store> stores) {
        return new TestClock(
                start(environment.getProperty(START_AT, "")),
                () -> stores.stream(ObjectProvider.UNFILTERED).forEach(Store::purgeExpired));
    }

    /** Has a store keep the time of the test, also in PostgreSQL, where a clock of the application has no effect. */
    @Bean
    StoreBuilderCustomizer ttlStoreTestTime(TestClock clock) {
        return builder -> builder.clock(clock);
    }

    private static Instant start(String text) {
        if (text.isEmpty()) {
            return Instant.now().truncatedTo(ChronoUnit.MILLIS);
        }
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'startAt' must be an instant, such as 2030-01-01T00:00:00Z, but is '" + text + "'", e);
        }
    }

    /** A test creates no keyset, and uses none of the application's. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(OnEncryptedGroupsCondition.class)
    @ConditionalOnClass(Aead.class)
    static class EncryptionConfiguration {

        @Bean
        @ConditionalOnMissingBean
        ValueCipher ttlStoreTestValueCipher() {
            return TinkValueCipher.ofNewKey();
        }
    }

    @Bean
    static BeanFactoryPostProcessor ttlStoreTestClockIsPrimary() {
        return new OnlyPrimaryClock();
    }

    @Bean
    static InMemoryStores ttlStoresInMemory(ConfigurableListableBeanFactory beans, Environment environment) {
        return new InMemoryStores(beans, environment);
    }
}
