package dev.ttlstore.spring.autoconfigure;

import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Lock;

import org.example.shop.Book;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.memory.InMemoryChatMemoryRepository;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.model.chat.memory.autoconfigure.ChatMemoryAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.support.NoOpCacheManager;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.context.IntegrationContextUtils;
import org.springframework.integration.metadata.MetadataStore;
import org.springframework.integration.metadata.SimpleMetadataStore;
import org.springframework.integration.store.SimpleMessageStore;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.scheduling.TaskScheduler;

import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.cache.StoreCacheManager;
import dev.ttlstore.spring.cache.StoreCacheManagerAutoConfiguration;
import dev.ttlstore.spring.chatmemory.StoreChatMemoryAutoConfiguration;
import dev.ttlstore.spring.chatmemory.StoreChatMemoryRepository;
import dev.ttlstore.spring.expiry.StoreExpiryAutoConfiguration;
import dev.ttlstore.spring.idempotency.StoreIdempotencyAutoConfiguration;
import dev.ttlstore.spring.lock.StoreLockProvider;
import dev.ttlstore.spring.lock.StoreLockRegistry;
import dev.ttlstore.spring.lock.StoreLockRegistryAutoConfiguration;
import dev.ttlstore.spring.messagestore.StoreMessageStore;
import dev.ttlstore.spring.messagestore.StoreMessageStoreAutoConfiguration;
import dev.ttlstore.spring.metadata.StoreMetadataStore;
import dev.ttlstore.spring.metadata.StoreMetadataStoreAutoConfiguration;
import dev.ttlstore.spring.ratelimit.StoreProxyManager;

import io.github.bucket4j.distributed.proxy.AsyncProxyManager;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import net.javacrumbs.shedlock.core.LockProvider;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
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
                .doesNotHaveBean(LockRegistry.class)
                .doesNotHaveBean(MetadataStore.class)
                .doesNotHaveBean(ChatMemoryRepository.class)
                .doesNotHaveBean(ProxyManager.class));
    }

    @Test
    void eachIsThereIfItsPropertySaysSo() {
        runner("store.cache-manager.enabled=true", "store.lock-provider.enabled=true", "store.rate-limits.enabled=true")
                .run(context -> assertThat(context)
                        .hasSingleBean(StoreCacheManager.class)
                        .hasSingleBean(StoreLockProvider.class)
                        .hasSingleBean(StoreProxyManager.class)
                        .hasSingleBean(AsyncProxyManager.class));
    }

    private static final String[] MESSAGING = {
        "store.lock-registry.enabled=true",
        "store.metadata-store.enabled=true",
        "store.message-store.enabled=true",
        "store.chat-memory.enabled=true"
    };

    @Test
    void thoseForSpringIntegrationAndSpringAiAreThereIfTheirPropertiesSaySo() {
        runner(MESSAGING).run(context -> {
            assertThat(context)
                    .hasSingleBean(LockRegistry.class)
                    .hasSingleBean(StoreLockRegistry.class)
                    .hasSingleBean(StoreMetadataStore.class)
                    .hasSingleBean(StoreMessageStore.class)
                    .hasSingleBean(StoreChatMemoryRepository.class)
                    .doesNotHaveBean(TaskScheduler.class);
            assertThat(IntegrationContextUtils.getMetadataStore(context))
                    .isSameAs(context.getBean(MetadataStore.class));
            Store store = context.getBean(Store.class);
            Lock lock = context.getBean(StoreLockRegistry.class).obtain("name");
            assertThat(lock.tryLock()).isTrue();
            assertThat(store.group(StoreLockRegistry.GROUP)
                            .entry("name")
                            .orElseThrow()
                            .ttl())
                    .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
            lock.unlock();
            context.getBean(StoreMetadataStore.class).put("key", "value");
            assertThat(store.group(StoreMetadataStore.GROUP)
                            .entry("key")
                            .orElseThrow()
                            .ttl())
                    .isNull();
            context.getBean(StoreChatMemoryRepository.class).saveAll("chat", List.of(new UserMessage("Hello")));
            assertThat(store.group(StoreChatMemoryRepository.GROUP)
                            .entry("chat")
                            .orElseThrow()
                            .ttl())
                    .isBetween(Duration.ofDays(29), Duration.ofDays(30));
        });
    }

    @Test
    void theirTtlsAreProperties() {
        runner(MESSAGING)
                .withPropertyValues(
                        "store.lock-registry.ttl=2h", "store.metadata-store.ttl=10d", "store.chat-memory.ttl=0s")
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    assertThat(context.getBean(StoreLockRegistry.class)
                                    .obtain("name")
                                    .tryLock())
                            .isTrue();
                    assertThat(store.group(StoreLockRegistry.GROUP)
                                    .entry("name")
                                    .orElseThrow()
                                    .ttl())
                            .isGreaterThan(Duration.ofHours(1));
                    context.getBean(StoreMetadataStore.class).put("key", "value");
                    assertThat(store.group(StoreMetadataStore.GROUP)
                                    .entry("key")
                                    .orElseThrow()
                                    .ttl())
                            .isGreaterThan(Duration.ofDays(9));
                    context.getBean(StoreChatMemoryRepository.class).saveAll("chat", List.of(new UserMessage("Hello")));
                    assertThat(store.group(StoreChatMemoryRepository.GROUP)
                                    .entry("chat")
                                    .orElseThrow()
                                    .ttl())
                            .isNull();
                });
    }

    @Test
    void locksAreRenewedIfThePropertySaysSo() {
        runner("store.lock-registry.enabled=true", "store.lock-registry.renew=true", "store.lock-registry.ttl=600ms")
                .run(context -> {
                    assertThat(context).doesNotHaveBean(TaskScheduler.class); // it would be the application's
                    Lock lock = context.getBean(StoreLockRegistry.class).obtain("name");
                    Group<String> locks = context.getBean(Store.class).group(StoreLockRegistry.GROUP);
                    lock.lock();
                    long version = locks.entry("name").orElseThrow().version();
                    await().until(() -> locks.entry("name")
                            .filter(entry -> entry.version() > version)
                            .isPresent());
                });
    }

    @Tag("variant")
    @Test
    void springAisRepositoryInMemoryComesAfter() {
        ApplicationContextRunner springAi = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        ChatMemoryAutoConfiguration.class,
                        StoreAutoConfiguration.class,
                        StoreChatMemoryAutoConfiguration.class))
                .withPropertyValues("store.path=" + folder.resolve("store.db"));
        springAi.run(context -> assertThat(context).hasSingleBean(InMemoryChatMemoryRepository.class));
        springAi.withPropertyValues("store.chat-memory.enabled=true").run(context -> {
            assertThat(context).hasSingleBean(ChatMemoryRepository.class).hasSingleBean(ChatMemory.class);
            context.getBean(ChatMemory.class).add("chat", new UserMessage("Hello"));
            assertThat(context.getBean(StoreChatMemoryRepository.class).findConversationIds())
                    .containsExactly("chat");
        });
    }

    @Tag("variant")
    @Test
    void beansOfTheApplicationForSpringIntegrationAndSpringAiComeFirst() {
        runner(MESSAGING)
                .withBean(DefaultLockRegistry.class)
                .withBean("own", SimpleMetadataStore.class)
                .withBean(SimpleMessageStore.class)
                .withBean(InMemoryChatMemoryRepository.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LockRegistry.class)
                        .hasSingleBean(MetadataStore.class)
                        .hasSingleBean(ChatMemoryRepository.class)
                        .doesNotHaveBean(StoreLockRegistry.class)
                        .doesNotHaveBean(StoreMetadataStore.class)
                        .doesNotHaveBean(StoreMessageStore.class)
                        .doesNotHaveBean(StoreChatMemoryRepository.class));
        runner(MESSAGING)
                .withBean("metadataStore", String.class, () -> "something else")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(StoreMetadataStore.class));
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
                        .doesNotHaveBean(StoreProxyManager.class)
                        .doesNotHaveBean(AsyncProxyManager.class));
    }

    @ParameterizedTest
    @CsvSource({
        "store.lock-provider.enabled, net.javacrumbs, net.javacrumbs.shedlock:shedlock-spring",
        "store.rate-limits.enabled, io.github.bucket4j, com.bucket4j:bucket4j_jdk17-core",
        "store.lock-registry.enabled, org.springframework.integration, org.springframework.boot:spring-boot-starter-integration",
        "store.metadata-store.enabled, org.springframework.integration, org.springframework.boot:spring-boot-starter-integration",
        "store.message-store.enabled, org.springframework.integration, org.springframework.boot:spring-boot-starter-integration",
        "store.chat-memory.enabled, org.springframework.ai, org.springframework.ai:spring-ai-model"
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
        runner("store.cache-manager.ttl=5m", "store.cache-manager.caches.books.ttl=1m", "store.chat-memory.ttl=1d")
                .run(context -> assertThat(output)
                        .contains("The properties [store.chat-memory.ttl] have no effect")
                        .contains(
                                "The properties [store.cache-manager.caches.books.ttl, store.cache-manager.ttl] have no effect,"
                                        + " because 'store.cache-manager.enabled' is not true"));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = {StoreExpiryAutoConfiguration.class, StoreCacheManagerAutoConfiguration.class})
    static class WithoutExpiry {}

    @Test
    void settingsOfWhatIsExcludedAreNoticed(CapturedOutput output) {
        new ApplicationContextRunner()
                .withUserConfiguration(WithoutExpiry.class)
                .withPropertyValues(
                        "store.in-memory=true",
                        "store.expiry.concurrency=2",
                        "store.events.history=5",
                        "store.cache-manager.enabled=true",
                        "store.cache-manager.ttl=5m")
                .run(context -> assertThat(output)
                        .contains(
                                "The properties [store.expiry.concurrency] have no effect, because the auto-configuration"
                                        + " StoreExpiryAutoConfiguration is excluded")
                        .contains("The properties [store.cache-manager.ttl] have no effect")
                        .doesNotContain("store.events.history"));
    }

    @ParameterizedTest
    @CsvSource({
        "store.cache-manager.caches.books.tll=1m, 'is unknown; the nearest name is ''store.cache-manager.caches.books.ttl'''",
        "store.cache-manager.caches.books=1m, 'use ''store.cache-manager.caches.books.ttl'''",
        "store.cache-manager.caches.books.ttl=10, a duration needs a unit",
        "store.cache-manager.caches.my.books.ttl=10m, must be in brackets",
        "store.cache-manager.caches.books.ttl=-1s, zero keeps entries for ever",
        "store.cache-manager.ttl=-1s, zero keeps entries for ever",
        "store.cache-manager.caches.books.time-to-idle=0s, it must be more than zero",
        "store.cache-manager.caches.books.time-to-idle=1d, 'it must be shorter than the ttl of the cache'",
        "store.lock-registry.ttl=0s, store.lock-registry.ttl",
        "store.lock-registry.ttl=10, a duration needs a unit",
        "store.metadata-store.ttl=-1s, store.metadata-store.ttl",
        "store.chat-memory.ttl=-1s, store.chat-memory.ttl",
        "store.idempotency.ttl=0s, store.idempotency.ttl",
        "store.idempotency.running-timeout=-1s, store.idempotency.running-timeout",
        "store.idempotency.max-answer-size=5TB, store.idempotency.max-answer-size",
        "store.idempotency.max-size=-1B, store.idempotency.max-size",
        "store.idempotency.max-owner-size=-1B, store.idempotency.max-owner-size",
        "store.idempotency.max-anonymous-size=-1B, store.idempotency.max-anonymous-size",
        "store.idempotency.statuses=200, store.idempotency.statuses",
        "store.idempotency.paths=payments/**, must begin with",
        "store.idempotency.required-paths=/{a, must be a pattern of paths",
        "store.idempotency.required-paths=payments/**, must begin with",
        "store.cache-manager.allowed-classes=com.*.Order, must be the name of a class",
        "store.message-store.allowed-classes=com.*.Order, must be the name of a class",
        "store.cache-manager.caches.books.type=java.lang.Strng, java.lang.Strng",
        "store.cache-manager.null-values=maybe, store.cache-manager.null-values",
        "store.idempotency.statuses=many, store.idempotency.statuses"
    })
    void mistakesInTheirSettingsEndTheStart(String property, String problem) {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        StoreAutoConfiguration.class,
                        StoreCacheManagerAutoConfiguration.class,
                        StoreChatMemoryAutoConfiguration.class,
                        StoreLockRegistryAutoConfiguration.class,
                        StoreMessageStoreAutoConfiguration.class,
                        StoreMetadataStoreAutoConfiguration.class,
                        StoreIdempotencyAutoConfiguration.class))
                .withPropertyValues(
                        "store.path=" + folder.resolve("store.db"),
                        "store.cache-manager.enabled=true",
                        "store.idempotency.enabled=true",
                        property)
                .withPropertyValues(MESSAGING)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(problem));
    }

    @AutoConfigurationPackage
    @Configuration(proxyBeanMethods = false)
    static class Application {}

    record Price(BigDecimal amount) implements Serializable {}

    @Test
    void classesOfCachedValuesAreAddedToThePackagesOfTheApplication() {
        runner("store.cache-manager.enabled=true", "store.cache-manager.allowed-classes=" + Book.class.getName())
                .withUserConfiguration(Application.class)
                .run(context -> {
                    Cache cache =
                            requireNonNull(context.getBean(CacheManager.class).getCache("things"));
                    for (Object value : List.of(new Price(BigDecimal.ONE), new Book("1", "A", BigDecimal.ONE))) {
                        cache.put("key", value);
                        assertThat(cache.get("key", Object.class)).isEqualTo(value);
                    }
                });
    }

    @Test
    void aBeanOfTheApplicationThatComesFirstIsNoticed(CapturedOutput output) {
        runner("store.cache-manager.enabled=true", "store.lock-provider.enabled=true", "store.rate-limits.enabled=true")
                .withBean("cacheManager", CacheManager.class, NoOpCacheManager::new)
                .withBean(LockProvider.class, () -> mock(LockProvider.class))
                .run(context -> assertThat(output)
                        .contains(
                                "The property 'store.cache-manager.enabled' has no effect, because of the application's own"
                                        + " [cacheManager]")
                        .contains("The property 'store.lock-provider.enabled' has no effect")
                        .doesNotContain("The property 'store.rate-limits.enabled' has no effect"));
    }

    @Tag("variant")
    @Test
    void anAdapterOfAParentContextIsNoBeanOfTheApplication(CapturedOutput output) {
        String[] properties = {"store.lock-provider.enabled=true", "store.rate-limits.enabled=true"};
        runner(properties).run(parent -> runner(properties).withParent(parent).run(child -> assertThat(child)
                .hasNotFailed()));
        assertThat(output).doesNotContain("has no effect");
    }

    @Tag("variant")
    @Test
    void cachesThatNoAnnotationUsesAreNoticed(CapturedOutput output) {
        runner("store.cache-manager.enabled=true")
                .withUserConfiguration(Caching.class)
                .run(context -> assertThat(output).doesNotContain("'@EnableCaching'"));
        runner("store.cache-manager.enabled=true")
                .run(context -> assertThat(output).containsOnlyOnce("'@EnableCaching'"));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Caching {}

    @Test
    void theNameOfACacheCanBeInBrackets() {
        runner("store.cache-manager.enabled=true", "store.cache-manager.caches[my.books].ttl=10m")
                .run(context -> assertThat(context.getBean(CacheManager.class).getCacheNames())
                        .containsExactly("my.books"));
    }
}
