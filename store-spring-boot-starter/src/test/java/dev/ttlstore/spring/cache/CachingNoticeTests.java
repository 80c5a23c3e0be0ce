package dev.ttlstore.spring.cache;

import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.caffeine.CaffeineCacheManager;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Configuration;

import com.github.benmanes.caffeine.cache.Caffeine;

import dev.ttlstore.spring.StoreRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** An application learns at the start that Spring's caches are in Caffeine, which the store needs and may have brought. */
@Tag("variant")
@ExtendWith(OutputCaptureExtension.class)
class CachingNoticeTests {

    private static final String NOTICE = "uses Caffeine for the application's caches";

    @TempDir
    private Path folder;

    private ApplicationContextRunner runner() {
        return StoreRunner.at(folder)
                .withConfiguration(
                        AutoConfigurations.of(CacheAutoConfiguration.class, StoreCachingNoticeAutoConfiguration.class));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Caching {}

    @Test
    void cachesThatAreInCaffeineUnaskedAreToldInOneLineWithHowToChoose(CapturedOutput output) {
        runner().withUserConfiguration(Caching.class)
                .run(context -> assertThat(context).hasSingleBean(CaffeineCacheManager.class));
        assertThat(output.getOut().lines())
                .filteredOn(line -> line.contains(NOTICE))
                .singleElement()
                .asString()
                .contains("'spring.cache.type' to 'caffeine' or 'simple'")
                .as("true of an application that has Caffeine for itself, too")
                .contains("because TTL Store's near cache brings it")
                .doesNotContain("comes with");
    }

    @Test
    void whatTheNoticeSaysHelps(CapturedOutput output) {
        runner().withUserConfiguration(Caching.class)
                .withPropertyValues("spring.cache.type=simple")
                .run(context -> assertThat(context).hasSingleBean(ConcurrentMapCacheManager.class));
        assertThat(output).doesNotContain(NOTICE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"spring.cache.type=caffeine", "spring.cache.caffeine.spec=maximumSize=10"})
    void whoHasChosenCaffeineByAPropertyIsToldNothing(String property, CapturedOutput output) {
        runner().withUserConfiguration(Caching.class)
                .withPropertyValues(property)
                .run(context -> assertThat(context).hasSingleBean(CaffeineCacheManager.class));
        assertThat(output).doesNotContain(NOTICE);
    }

    @Test
    void whoHasChosenCaffeineByABeanIsToldNothing(CapturedOutput output) {
        runner().withUserConfiguration(Caching.class)
                .withBean(Caffeine.class, Caffeine::newBuilder)
                .run(context -> assertThat(context).hasSingleBean(CaffeineCacheManager.class));
        assertThat(output).doesNotContain(NOTICE);
    }

    @Test
    void anApplicationWithoutCachingOrWithACacheManagerOfItsOwnIsToldNothing(CapturedOutput output) {
        runner().run(context -> assertThat(context).doesNotHaveBean(CacheManager.class));
        runner().withUserConfiguration(Caching.class)
                .withBean("cacheManager", CacheManager.class, CaffeineCacheManager::new)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain(NOTICE);
    }
}
