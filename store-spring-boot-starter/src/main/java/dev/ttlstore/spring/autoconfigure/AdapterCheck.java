package dev.ttlstore.spring.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Checks the adapters, which make the store the implementation behind another library's interface, and backups: each is off unless a
 * property enables it. One that is enabled needs its library, and the settings of one that is not have no effect.
 */
final class AdapterCheck {

    private static final Logger log = LoggerFactory.getLogger(AdapterCheck.class);

    private static final List<Adapter> ADAPTERS = List.of(
            new Adapter("backup", "dev.ttlstore.Store", "dev.ttlstore:store-core"),
            new Adapter(
                    "cache-manager", "org.springframework.cache.CacheManager", "org.springframework:spring-context"),
            new Adapter(
                    "lock-provider",
                    "net.javacrumbs.shedlock.core.ExtensibleLockProvider",
                    "net.javacrumbs.shedlock:shedlock-spring"),
            new Adapter(
                    "lock-registry",
                    "org.springframework.integration.support.locks.DistributedLock",
                    "org.springframework.boot:spring-boot-starter-integration"),
            new Adapter(
                    "metadata-store",
                    "org.springframework.integration.metadata.ListenableMetadataStore",
                    "org.springframework.boot:spring-boot-starter-integration"),
            new Adapter(
                    "chat-memory",
                    "org.springframework.ai.chat.memory.ChatMemoryRepository",
                    "org.springframework.ai:spring-ai-model"),
            new Adapter(
                    "rate-limits",
                    "io.github.bucket4j.distributed.proxy.ProxyManager",
                    "com.bucket4j:bucket4j_jdk17-core"),
            new Adapter(
                    "session",
                    "org.springframework.boot.session.autoconfigure.SessionTimeout",
                    "org.springframework.boot:spring-boot-session"),
            new Adapter(
                    "idempotency",
                    "org.springframework.web.filter.OncePerRequestFilter",
                    "org.springframework.boot:spring-boot-starter-webmvc"),
            new Adapter(
                    "one-time-tokens",
                    "org.springframework.security.authentication.ott.OneTimeTokenService",
                    "org.springframework.boot:spring-boot-starter-security"),
            new Adapter(
                    "remember-me",
                    "org.springframework.security.web.authentication.rememberme.PersistentTokenRepository",
                    "org.springframework.boot:spring-boot-starter-security"),
            new Adapter(
                    "authorizations",
                    "org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService",
                    "org.springframework.boot:spring-boot-starter-security-oauth2-authorization-server"),
            new Adapter(
                    "authorized-clients",
                    "org.springframework.security.oauth2.client.OAuth2AuthorizedClientService",
                    "org.springframework.boot:spring-boot-starter-security-oauth2-client"));

    /** What an adapter needs that its own library does not bring. */
    private static final List<Adapter> ALSO_NEEDED = List.of(new Adapter(
            "remember-me", "org.springframework.dao.DataIntegrityViolationException", "org.springframework:spring-tx"));

    private final Environment environment;
    private final KnownProperties known;

    AdapterCheck(Environment environment, KnownProperties known) {
        this.environment = environment;
        this.known = known;
    }

    /**
     * An adapter.
     *
     * @param section the section of its properties
     * @param type a class of the library that it needs
     * @param library the library
     */
    private record Adapter(String section, String type, String library) {

        ConfigurationPropertyName property() {
            return KnownProperties.ROOT.append(section);
        }

        ConfigurationPropertyName enabled() {
            return property().append("enabled");
        }
    }

    /**
     * Checks all adapters.
     *
     * @throws InvalidConfigurationPropertyValueException if one is enabled that lacks its library
     */
    void requireEffect() {
        for (Adapter adapter : ADAPTERS) {
            Boolean enabled = environment.getProperty(adapter.enabled().toString(), Boolean.class, false);
            if (enabled) {
                requireLibrary(adapter);
                ALSO_NEEDED.stream()
                        .filter(other -> other.section().equals(adapter.section()))
                        .forEach(AdapterCheck::requireLibrary);
            } else {
                tellOfSettings(adapter);
            }
        }
    }

    private static void requireLibrary(Adapter adapter) {
        if (!ClassUtils.isPresent(adapter.type(), null)) {
            throw new InvalidConfigurationPropertyValueException(
                    adapter.enabled().toString(),
                    true,
                    "it needs '" + adapter.library()
                            + "' on the class path: add that dependency, or remove the property");
        }
    }

    private void tellOfSettings(Adapter adapter) {
        Set<ConfigurationPropertyName> set = new TreeSet<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (!OthersInEnvironment.isEnvironment(source)
                    && source instanceof IterableConfigurationPropertySource names) {
                names.stream()
                        .filter(adapter.property()::isAncestorOf)
                        .filter(name -> !name.equals(adapter.enabled()) && known.isKnown(name))
                        .forEach(set::add);
            }
        }
        if (!set.isEmpty()) {
            log.warn("The properties {} have no effect, because '{}' is not true", set, adapter.enabled());
        }
    }
}
