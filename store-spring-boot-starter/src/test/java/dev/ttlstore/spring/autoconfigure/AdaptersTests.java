package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.CacheManager;
import org.springframework.cache.support.NoOpCacheManager;

import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.cache.StoreCacheManager;
import dev.ttlstore.spring.lock.StoreLockProvider;
import dev.ttlstore.spring.ratelimit.StoreProxyManager;

import io.github.bucket4j.distributed.proxy.ProxyManager;
import net.javacrumbs.shedlock.core.LockProvider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/** Adapters are there if their property says so, after beans of the application, and nothing that is set goes unnoticed. */
@ExtendWith(OutputCaptureExtension.class)
class AdaptersTests {

    @TempDir
    private Path folder;

    private ApplicationContextRunner runner(String... properties) {
        return StarterRunner.at(folder).withPropertyValues(properties);
    }

    @Test
    void noAdapterIsThereByItself() {
        runner().run(context -> assertThat(context)
                .doesNotHaveBean(CacheManager.class)
                .doesNotHaveBean(LockProvider.class)
                .doesNotHaveBean(ProxyManager.class));
    }

    @Test
    void eachIsThereIfItsPropertySaysSo() {
        runner("store.cache-manager.enabled=true", "store.lock-provider.enabled=true", "store.rate-limits.enabled=true")
                .run(context -> assertThat(context)
                        .hasSingleBean(StoreCacheManager.class)
                        .hasSingleBean(StoreLockProvider.class)
                        .hasSingleBean(StoreProxyManager.class));
    }

    @Test
    void beansOfTheApplicationComeFirst() {
        runner("store.cache-manager.enabled=true", "store.lock-provider.enabled=true", "store.rate-limits.enabled=true")
                .withBean(NoOpCacheManager.class)
                .withBean(LockProvider.class, () -> mock(LockProvider.class))
                .withBean(ProxyManager.class, () -> mock(ProxyManager.class))
                .run(context -> assertThat(context)
                        .doesNotHaveBean(StoreCacheManager.class)
                        .doesNotHaveBean(StoreLockProvider.class)
                        .doesNotHaveBean(StoreProxyManager.class));
    }

    @ParameterizedTest
    @CsvSource({
        "store.lock-provider.enabled, net.javacrumbs, net.javacrumbs.shedlock:shedlock-spring",
        "store.rate-limits.enabled, io.github.bucket4j, com.bucket4j:bucket4j_jdk17-core"
    })
    void anAdapterWithoutItsLibraryEndsTheStart(String property, String missing, String library) {
        runner(property + "=true")
                .withClassLoader(new FilteredClassLoader(missing))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("Property " + property)
                        .hasStackTraceContaining("'" + library + "'"));
    }

    @Test
    void settingsOfWhatIsNotEnabledAreNoticed(CapturedOutput output) {
        runner("store.cache-manager.ttl=5m", "store.cache-manager.caches.books.ttl=1m")
                .run(context -> assertThat(output)
                        .contains(
                                "The properties [store.cache-manager.caches.books.ttl, store.cache-manager.ttl] have no effect,"
                                        + " because 'store.cache-manager.enabled' is not true"));
    }

    @ParameterizedTest
    @CsvSource({
        "store.cache-manager.caches.books.tll=1m, 'is unknown; the nearest name is ''store.cache-manager.caches.books.ttl'''",
        "store.cache-manager.caches.books=1m, 'use ''store.cache-manager.caches.books.ttl'''",
        "store.cache-manager.caches.books.ttl=10, a duration needs a unit",
        "store.cache-manager.caches.my.books.ttl=10m, must be in brackets",
        "store.cache-manager.caches.books.ttl=-1s, zero keeps entries for ever",
        "store.cache-manager.ttl=-1s, zero keeps entries for ever",
        "store.idempotency.ttl=0s, store.idempotency.ttl",
        "store.idempotency.running-timeout=-1s, store.idempotency.running-timeout",
        "store.idempotency.max-request-size=5TB, store.idempotency.max-request-size",
        "store.idempotency.required-paths=/{a, must be a pattern of paths",
        "store.cache-manager.allowed-classes=com.*.Order, must be the name of a class",
        "store.cache-manager.caches.books.type=java.lang.Strng, java.lang.Strng"
    })
    void mistakesInTheirSettingsEndTheStart(String property, String problem) {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        StoreAutoConfiguration.class,
                        StoreCacheAutoConfiguration.class,
                        StoreIdempotencyAutoConfiguration.class))
                .withPropertyValues(
                        "store.path=" + folder.resolve("store.db"),
                        "store.cache-manager.enabled=true",
                        "store.idempotency.enabled=true",
                        property)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(problem));
    }

    @Test
    void theNameOfACacheCanBeInBrackets() {
        runner("store.cache-manager.enabled=true", "store.cache-manager.caches[my.books].ttl=10m")
                .run(context -> assertThat(context.getBean(CacheManager.class).getCacheNames())
                        .containsExactly("my.books"));
    }
}
