package dev.ttlstore.spring.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * A part of the starter that a property enables: an adapter, which makes the store the implementation behind another library's
 * interface, backups, or observations. Their packages know this one, so classes have names here.
 *
 * @param section the section of its properties
 * @param properties the class that they are bound to
 * @param needed what it needs
 * @param beans the beans to choose from: it declares the one for the kind of application, if there is none; empty if the application cannot have
 *     its own
 */
record Adapter(String section, String properties, List<Library> needed, List<Declaration> beans) {

    private static final String PACKAGE = "dev.ttlstore.spring.";
    private static final String INTEGRATION = "org.springframework.boot:spring-boot-starter-integration";
    private static final String SECURITY = "org.springframework.boot:spring-boot-starter-security";

    static final String CACHES = "cache-manager";

    static final List<Adapter> ALL = List.of(
            of("backup", "backup.StoreBackupProperties").with("dev.ttlstore.Store", "dev.ttlstore:store-core"),
            of("idempotency", "idempotency.StoreIdempotencyProperties")
                    .with(
                            "org.springframework.web.filter.OncePerRequestFilter",
                            "org.springframework.boot:spring-boot-starter-webmvc"),
            of("authorization-consents", "security.StoreAuthorizationConsentsProperties")
                    .with(
                            "org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsentService",
                            SECURITY + "-oauth2-authorization-server")
                    .declaring(
                            "security.StoreAuthorizationConsentsAutoConfiguration",
                            "ttlStoreAuthorizationConsentService",
                            "org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsentService"),
            of("authorizations", "security.StoreAuthorizationsProperties")
                    .with(
                            "org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService",
                            SECURITY + "-oauth2-authorization-server")
                    .declaring(
                            "security.StoreAuthorizationsAutoConfiguration",
                            "ttlStoreAuthorizationService",
                            "org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService"),
            of("authorized-clients", "security.StoreAuthorizedClientsProperties")
                    .with(
                            "org.springframework.security.oauth2.client.OAuth2AuthorizedClientService",
                            SECURITY + "-oauth2-client")
                    .declaring(
                            "security.StoreAuthorizedClientsAutoConfiguration",
                            "ttlStoreAuthorizedClientService",
                            "org.springframework.security.oauth2.client.OAuth2AuthorizedClientService")
                    .declaring(
                            "security.StoreAuthorizedClientsAutoConfiguration",
                            "ttlStoreReactiveAuthorizedClientService",
                            "org.springframework.security.oauth2.client.ReactiveOAuth2AuthorizedClientService"),
            of(CACHES, "cache.StoreCacheManagerProperties")
                    .with("org.springframework.cache.CacheManager", "org.springframework:spring-context")
                    .declaring(
                            "cache.StoreCacheManagerAutoConfiguration",
                            "cacheManager",
                            "org.springframework.cache.CacheManager"),
            of("chat-memory", "chatmemory.StoreChatMemoryProperties")
                    .with(
                            "org.springframework.ai.chat.memory.ChatMemoryRepository",
                            "org.springframework.ai:spring-ai-model")
                    .declaring(
                            "chatmemory.StoreChatMemoryAutoConfiguration",
                            "ttlStoreChatMemoryRepository",
                            "org.springframework.ai.chat.memory.ChatMemoryRepository"),
            of("lock-provider", "lock.StoreLockProviderProperties")
                    .with(
                            "net.javacrumbs.shedlock.core.ExtensibleLockProvider",
                            "net.javacrumbs.shedlock:shedlock-spring")
                    .declaring(
                            "lock.StoreLockProviderAutoConfiguration",
                            "ttlStoreLockProvider",
                            "net.javacrumbs.shedlock.core.LockProvider"),
            of("lock-registry", "lock.StoreLockRegistryProperties")
                    .with("org.springframework.integration.support.locks.DistributedLock", INTEGRATION)
                    .declaring(
                            "lock.StoreLockRegistryAutoConfiguration",
                            "ttlStoreLockRegistry",
                            "org.springframework.integration.support.locks.LockRegistry"),
            of("message-store", "messagestore.StoreMessageStoreProperties")
                    .with("org.springframework.integration.store.MessageGroupStore", INTEGRATION)
                    .declaring(
                            "messagestore.StoreMessageStoreAutoConfiguration",
                            "ttlStoreMessageStore",
                            "org.springframework.integration.store.MessageGroupStore"),
            of("metadata-store", "metadata.StoreMetadataStoreProperties")
                    .with("org.springframework.integration.metadata.ListenableMetadataStore", INTEGRATION)
                    .declaring(
                            "metadata.StoreMetadataStoreAutoConfiguration",
                            "metadataStore",
                            "org.springframework.integration.metadata.MetadataStore"),
            of("observations", "observation.StoreObservationProperties")
                    .with("io.micrometer.observation.ObservationRegistry", "io.micrometer:micrometer-observation"),
            of("oidc-sessions", "security.StoreOidcSessionsProperties")
                    .with(
                            "org.springframework.security.oauth2.client.oidc.session.OidcSessionRegistry",
                            SECURITY + "-oauth2-client")
                    .with(
                            "tools.jackson.databind.json.JsonMapper",
                            "org.springframework.boot:spring-boot-starter-jackson")
                    .declaring(
                            "security.StoreOidcSessionsAutoConfiguration",
                            "ttlStoreOidcSessionRegistry",
                            "org.springframework.security.oauth2.client.oidc.session.OidcSessionRegistry")
                    .declaring(
                            "security.StoreOidcSessionsAutoConfiguration",
                            "ttlStoreReactiveOidcSessionRegistry",
                            "org.springframework.security.oauth2.client.oidc.server.session.ReactiveOidcSessionRegistry"),
            of("one-time-tokens", "security.StoreOneTimeTokensProperties")
                    .with("org.springframework.security.authentication.ott.OneTimeTokenService", SECURITY)
                    .declaring(
                            "security.StoreOneTimeTokensAutoConfiguration",
                            "ttlStoreOneTimeTokenService",
                            "org.springframework.security.authentication.ott.OneTimeTokenService")
                    .declaring(
                            "security.StoreOneTimeTokensAutoConfiguration",
                            "ttlStoreReactiveOneTimeTokenService",
                            "org.springframework.security.authentication.ott.reactive.ReactiveOneTimeTokenService"),
            of("rate-limits", "ratelimit.StoreRateLimitsProperties")
                    .with("io.github.bucket4j.distributed.proxy.ProxyManager", "com.bucket4j:bucket4j_jdk17-core")
                    .declaring(
                            "ratelimit.StoreRateLimitsAutoConfiguration",
                            "ttlStoreProxyManager",
                            "io.github.bucket4j.distributed.proxy.ProxyManager"),
            of("remember-me", "security.StoreRememberMeProperties")
                    .with(
                            "org.springframework.security.web.authentication.rememberme.PersistentTokenRepository",
                            SECURITY)
                    .with("org.springframework.dao.DataIntegrityViolationException", "org.springframework:spring-tx")
                    .declaring(
                            "security.StoreRememberMeAutoConfiguration",
                            "ttlStorePersistentTokenRepository",
                            "org.springframework.security.web.authentication.rememberme.PersistentTokenRepository"),
            of("session", "session.StoreSessionProperties")
                    .with(
                            "org.springframework.boot.session.autoconfigure.SessionTimeout",
                            "org.springframework.boot:spring-boot-session")
                    .declaring(
                            "session.StoreSessionAutoConfiguration",
                            "ttlStoreSessionRepository",
                            "org.springframework.session.SessionRepository")
                    .declaring(
                            "session.StoreSessionAutoConfiguration",
                            "ttlStoreReactiveSessionRepository",
                            "org.springframework.session.ReactiveSessionRepository"));

    /**
     * A library.
     *
     * @param type a class of it
     * @param artifact its group and name, as builds name it
     */
    record Library(String type, String artifact) {}

    /**
     * A bean of an adapter.
     *
     * @param configuration the class that declares it; its own bean is there only if the adapter is enabled and can work
     * @param method the method that declares it
     * @param type the interface that it implements
     */
    record Declaration(String configuration, String method, String type) {}

    private static Adapter of(String section, String properties) {
        return new Adapter(section, PACKAGE + properties, List.of(), List.of());
    }

    private Adapter with(String type, String artifact) {
        List<Library> all = Stream.concat(needed.stream(), Stream.of(new Library(type, artifact)))
                .toList();
        return new Adapter(section, properties, all, beans);
    }

    private Adapter declaring(String configuration, String method, String type) {
        Declaration declaration = new Declaration(PACKAGE + configuration, method, type);
        List<Declaration> all =
                Stream.concat(beans.stream(), Stream.of(declaration)).toList();
        return new Adapter(section, properties, needed, all);
    }

    ConfigurationPropertyName property() {
        return KnownProperties.ROOT.append(section);
    }

    ConfigurationPropertyName enabled() {
        return property().append("enabled");
    }
}
