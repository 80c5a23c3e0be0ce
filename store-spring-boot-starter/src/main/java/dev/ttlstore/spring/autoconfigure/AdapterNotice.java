package dev.ttlstore.spring.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

/**
 * Logs at start-up which adapters have no effect although they are enabled, because the application has a bean of its own, which comes
 * first, and that nothing caches by annotations. It looks for the definitions that the adapters' configurations would have made, in
 * this context and in those above it.
 */
final class AdapterNotice implements BeanFactoryPostProcessor {

    private static final Logger log = LoggerFactory.getLogger(AdapterNotice.class);

    private static final String CACHE_SECTION = "cache-manager";

    private static final List<Adapter> ADAPTERS = List.of(
            new Adapter(
                    "authorizations",
                    StoreAuthorizationsAutoConfiguration.class,
                    "ttlStoreAuthorizationService",
                    "org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService"),
            new Adapter(
                    "authorized-clients",
                    StoreAuthorizedClientsAutoConfiguration.class,
                    "ttlStoreAuthorizedClientService",
                    "org.springframework.security.oauth2.client.OAuth2AuthorizedClientService"),
            new Adapter(
                    CACHE_SECTION,
                    StoreCacheAutoConfiguration.class,
                    "cacheManager",
                    "org.springframework.cache.CacheManager"),
            new Adapter(
                    "chat-memory",
                    StoreChatMemoryAutoConfiguration.class,
                    "ttlStoreChatMemoryRepository",
                    "org.springframework.ai.chat.memory.ChatMemoryRepository"),
            new Adapter(
                    "lock-provider",
                    StoreLockProviderAutoConfiguration.class,
                    "ttlStoreLockProvider",
                    "net.javacrumbs.shedlock.core.LockProvider"),
            new Adapter(
                    "lock-registry",
                    StoreLockRegistryAutoConfiguration.class,
                    "ttlStoreLockRegistry",
                    "org.springframework.integration.support.locks.LockRegistry"),
            new Adapter(
                    "metadata-store",
                    StoreMetadataStoreAutoConfiguration.class,
                    "metadataStore",
                    "org.springframework.integration.metadata.MetadataStore"),
            new Adapter(
                    "one-time-tokens",
                    StoreOneTimeTokensAutoConfiguration.class,
                    "ttlStoreOneTimeTokenService",
                    "org.springframework.security.authentication.ott.OneTimeTokenService"),
            new Adapter(
                    "rate-limits",
                    StoreRateLimitsAutoConfiguration.class,
                    "ttlStoreProxyManager",
                    "io.github.bucket4j.distributed.proxy.ProxyManager"),
            new Adapter(
                    "remember-me",
                    StoreRememberMeAutoConfiguration.class,
                    "ttlStorePersistentTokenRepository",
                    "org.springframework.security.web.authentication.rememberme.PersistentTokenRepository"),
            new Adapter(
                    "session",
                    StoreSessionAutoConfiguration.class,
                    "ttlStoreSessionRepository",
                    "org.springframework.session.SessionRepository"));

    /** What Spring's caching annotations need: either of these beans. */
    private static final List<String> CACHING = List.of(
            "org.springframework.cache.config.internalCacheAdvisor",
            "org.springframework.cache.config.internalCacheAspect");

    /**
     * An adapter.
     *
     * @param section the section of its properties
     * @param configuration what declares its bean; it is there only if the adapter is enabled and can work
     * @param method the method that declares the bean
     * @param type the interface that the bean implements
     */
    private record Adapter(String section, String configuration, String method, String type) {

        Adapter(String section, Class<?> configuration, String method, String type) {
            this(section, configuration.getName(), method, type);
        }

        boolean declares(BeanDefinition definition) {
            String factory = definition.getFactoryBeanName();
            return method.equals(definition.getFactoryMethodName())
                    && factory != null
                    && (factory.equals(configuration) || factory.startsWith(configuration + "$"));
        }
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        if (AotDetector.useGeneratedArtifacts()) {
            return; // the build has told it
        }
        ADAPTERS.stream()
                .filter(adapter -> beans.containsBeanDefinition(adapter.configuration()))
                .forEach(adapter -> look(adapter, beans));
    }

    private static void look(Adapter adapter, ConfigurableListableBeanFactory beans) {
        if (isDeclared(adapter, beans)) {
            if (adapter.section().equals(CACHE_SECTION) && CACHING.stream().noneMatch(beans::containsBean)) {
                log.info("The caches are in the store. '@Cacheable' and other annotations use them only with"
                        + " '@EnableCaching', which this context lacks");
            }
            return;
        }
        Class<?> type = ClassUtils.resolveClassName(adapter.type(), beans.getBeanClassLoader());
        String[] others = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false);
        if (others.length > 0) {
            log.warn(
                    "The property 'store.{}.enabled' has no effect, because of the application's own {}",
                    adapter.section(),
                    List.of(others));
        }
    }

    private static boolean isDeclared(Adapter adapter, ConfigurableListableBeanFactory beans) {
        for (ConfigurableListableBeanFactory here = beans; here != null; here = above(here)) {
            if (Stream.of(here.getBeanDefinitionNames())
                    .map(here::getBeanDefinition)
                    .anyMatch(adapter::declares)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable ConfigurableListableBeanFactory above(ConfigurableListableBeanFactory beans) {
        BeanFactory parent = beans.getParentBeanFactory();
        if (parent instanceof ConfigurableApplicationContext context) {
            return context.getBeanFactory();
        }
        return parent instanceof ConfigurableListableBeanFactory factory ? factory : null;
    }
}
