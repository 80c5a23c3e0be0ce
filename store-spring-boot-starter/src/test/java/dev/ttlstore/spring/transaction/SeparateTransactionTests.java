package dev.ttlstore.spring.transaction;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.cache.StoreCache;
import dev.ttlstore.spring.cache.StoreCacheManager;
import dev.ttlstore.spring.cache.StoreCacheSettings;
import dev.ttlstore.spring.lock.StoreLockProvider;
import dev.ttlstore.spring.transaction.TransactionalApplication.Refusal;

import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Work on a store on PostgreSQL that is outside the transaction in which it is done. */
@ExtendWith(TransactionalApplication.Shared.class)
class SeparateTransactionTests {

    @Test
    void whatIsWrittenIsThereAtOnceAndStaysAfterARollback() {
        TransactionalApplication.run((application, other) -> {
            assertThatThrownBy(() -> application.service().run(() -> {
                        application.group().put("with", "value");
                        SeparateTransaction.run(() -> application.group().put("separate", "value"));
                        assertThat(other.get("separate")).hasValue("value");
                        assertThat(other.get("with")).isEmpty();
                        throw new Refusal();
                    }))
                    .isInstanceOf(Refusal.class);
            assertThat(other.keys()).containsExactly("separate");
        });
    }

    @Test
    void theTransactionGoesOnAfterAnError() {
        TransactionalApplication.run((application, other) -> {
            application.service().run(() -> {
                assertThatThrownBy(() -> SeparateTransaction.run(() -> {
                            throw new Refusal();
                        }))
                        .isInstanceOf(Refusal.class);
                application.group().put("with", "value");
                assertThat(other.get("with")).isEmpty();
            });
            assertThat(other.get("with")).hasValue("value");
        });
    }

    /** Otherwise a cached value would be that of a transaction that was rolled back, or wait for it. */
    @Test
    void cachesAndLocksAreSeparate() {
        TransactionalApplication.run((application, other) -> {
            JavaCodec codec = new JavaCodec(AllowedClasses.of(List.of()), "property", null);
            StoreCacheManager caches = new StoreCacheManager(
                    application.store(), name -> new StoreCacheSettings(Duration.ZERO, true, codec), List.of());
            StoreCache cache = caches.getCache("books");
            StoreLockProvider locks = new StoreLockProvider(application.store());
            assertThatThrownBy(() -> application.service().run(() -> {
                        cache.put("put", "value");
                        Object unused = cache.get("loaded", () -> {
                            application.group().put("of the loader", "value");
                            return "value";
                        });
                        assertThat(locks.lock(new LockConfiguration(
                                        ClockProvider.now(), "name", Duration.ofHours(1), Duration.ZERO)))
                                .isPresent();
                        throw new Refusal();
                    }))
                    .isInstanceOf(Refusal.class);
            assertThat(cache.get("put", String.class)).isEqualTo("value");
            assertThat(cache.get("loaded", String.class)).isEqualTo("value");
            assertThat(locks.lock(
                            new LockConfiguration(ClockProvider.now(), "name", Duration.ofHours(1), Duration.ZERO)))
                    .isEmpty();
            assertThat(other.keys()).isEmpty();
        });
    }
}
