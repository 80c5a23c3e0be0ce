package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.util.Properties;

import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.Duration;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.jcache.JCache;
import dev.ttlstore.jcache.Recorder;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** JCache's caches beside the transactions of the application that the store joins. */
@Tag("postgresql")
class JoinedCacheTests extends JoinedStore {

    private static final class Refusal extends RuntimeException {
        static final long serialVersionUID = 1;
    }

    private static MutableConfiguration<String, String> texts() {
        return new MutableConfiguration<String, String>().setTypes(String.class, String.class);
    }

    private CacheManager joining(String property) {
        Properties properties = new Properties();
        properties.setProperty("dev.ttlstore.jcache.join-transactions", property);
        return JCache.of(store, JoinedCacheTests.class.getClassLoader(), properties);
    }

    @Test
    void aTransactionThatOnlyReadsFillsACache() throws Exception {
        try (CacheManager manager = JCache.of(store)) {
            Cache<String, String> cache = manager.createCache(
                    "texts", texts().setExpiryPolicyFactory(AccessedExpiryPolicy.factoryOf(Duration.ONE_HOUR)));
            transactions.run(Connection.TRANSACTION_SERIALIZABLE, true, transaction -> {
                cache.put("key", "value");
                assertThat(cache.get("key")).isEqualTo("value"); // which renews it
            });
            assertThat(cache.containsKey("key")).isTrue();
        }
    }

    @Test
    void whatListenersHaveAnnouncedIsThereAfterARollback() {
        try (CacheManager manager = JCache.of(store)) {
            Cache<String, String> cache = manager.createCache("texts", texts());
            Recorder recorder = new Recorder();
            cache.registerCacheEntryListener(new MutableCacheEntryListenerConfiguration<>(
                    new FactoryBuilder.SingletonFactory<>(recorder), null, true, true));
            assertThatThrownBy(() -> transactions.run(transaction -> {
                        cache.put("key", "value");
                        throw new Refusal();
                    }))
                    .isInstanceOf(Refusal.class);
            assertThat(recorder.events()).containsExactly("CREATED key null value");
            assertThat(cache.get("key")).isEqualTo("value");
        }
    }

    @Test
    void transactionsAtOnceDoNotConflictByACache() throws Exception {
        try (CacheManager manager = JCache.of(store)) {
            Cache<String, String> cache = manager.createCache("texts", texts());
            transactions.run(outer -> {
                cache.put("key", "first");
                transactions.run(inner -> cache.put("key", "second"));
                cache.put("key", "third");
            });
            assertThat(cache.get("key")).isEqualTo("third");
        }
    }

    @Test
    void aCacheTakesPartIfAPropertySaysSo() {
        try (CacheManager manager = joining("true")) {
            Cache<String, String> cache = manager.createCache("texts", texts());
            assertThatThrownBy(() -> transactions.run(transaction -> {
                        cache.put("key", "value");
                        assertThat(cache.get("key")).isEqualTo("value");
                        throw new Refusal();
                    }))
                    .isInstanceOf(Refusal.class);
            assertThat(cache.containsKey("key")).isFalse();
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> joining("yes"))
                .withMessageContaining("must be true or false");
    }
}
