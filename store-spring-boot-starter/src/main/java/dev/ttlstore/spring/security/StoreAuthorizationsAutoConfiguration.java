package dev.ttlstore.spring.security;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.io.ResourceLoader;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;

import dev.ttlstore.Store;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;

import static dev.ttlstore.spring.autoconfigure.PropertyValue.set;

/**
 * Auto-configuration for the authorizations of Spring's authorization server in the store. It backs off if the
 * application declares a service.
 *
 * @since 0.1
 * @see StoreAuthorizationService
 */
@AutoConfiguration(
        after = StoreAutoConfiguration.class,
        afterName =
                "org.springframework.boot.security.oauth2.server.authorization.autoconfigure.servlet.OAuth2AuthorizationServerAutoConfiguration")
@ConditionalOnBooleanProperty("store.authorizations.enabled")
@ConditionalOnClass(OAuth2AuthorizationService.class)
@ConditionalOnBean(Store.class)
@Conditional(StoreAuthorizationsAutoConfiguration.OnServerOrClients.class)
@ImportRuntimeHints(AuthorizationHints.class)
@EnableConfigurationProperties(StoreAuthorizationsProperties.class)
public final class StoreAuthorizationsAutoConfiguration {

    private static final String SECTION = "store.authorizations.";

    StoreAuthorizationsAutoConfiguration() {}

    /** The same application without its web server, as in a test, has no registered clients by Boot. */
    static final class OnServerOrClients extends AnyNestedCondition {

        OnServerOrClients() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
        static final class OnServer {}

        @ConditionalOnBean(RegisteredClientRepository.class)
        static final class OnClients {}
    }

    @Bean
    @ConditionalOnMissingBean(OAuth2AuthorizationService.class)
    StoreAuthorizationService ttlStoreAuthorizationService(
            Store store,
            StoreAuthorizationsProperties properties,
            RegisteredClientRepository clients,
            ResourceLoader loader) {
        List<String> classes = properties.allowedClasses();
        set(SECTION + "allowed-classes", classes, AllowedClasses::of);
        return new StoreAuthorizationService(
                store,
                clients,
                settings(properties),
                StoreAuthorizationService.jsonMapper(classes, Objects.requireNonNull(loader.getClassLoader())));
    }

    /** Returns the settings, each checked by itself, so that the exception names the property that is refused. */
    private static AuthorizationSettings settings(StoreAuthorizationsProperties given) {
        Duration valid = Duration.ofDays(1);
        set(SECTION + "pending-ttl", given.pendingTtl(), ttl -> new AuthorizationSettings(ttl, valid));
        set(SECTION + "keep-expired", given.keepExpired(), time -> new AuthorizationSettings(valid, time));
        return new AuthorizationSettings(given.pendingTtl(), given.keepExpired());
    }
}
