package dev.ttlstore.spring.session;

import java.time.Duration;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.session.autoconfigure.SessionTimeout;
import org.springframework.boot.web.context.reactive.ReactiveWebApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ResourceLoader;
import org.springframework.session.IndexResolver;
import org.springframework.session.Session;
import org.springframework.session.SessionIdGenerator;
import org.springframework.session.SessionRepository;
import org.springframework.session.config.annotation.web.http.SpringHttpSessionConfiguration;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.expiry.ExpiryCalls;

import io.micrometer.observation.ObservationRegistry;

/**
 * Auto-configuration for Spring Session's sessions in the store, before those of Boot's, which then back off. A repository of the
 * application comes first. The cookie, the filter and the timeout are configured by Boot, as for its own repositories.
 */
@AutoConfiguration(
        after = StoreAutoConfiguration.class,
        beforeName = {
            "org.springframework.boot.session.autoconfigure.SessionAutoConfiguration",
            "org.springframework.boot.session.data.redis.autoconfigure.SessionDataRedisAutoConfiguration",
            "org.springframework.boot.session.jdbc.autoconfigure.JdbcSessionAutoConfiguration"
        })
@ConditionalOnBooleanProperty("store.session.enabled")
@ConditionalOnClass({Session.class, SessionTimeout.class})
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreSessionProperties.class)
public final class StoreSessionAutoConfiguration {

    /** Refuses an application whose sessions are of another kind, so that the property does not go unnoticed. */
    StoreSessionAutoConfiguration(ApplicationContext context) {
        if (context instanceof ReactiveWebApplicationContext) {
            throw new InvalidConfigurationPropertyValueException(
                    "store.session.enabled",
                    true,
                    "it needs a servlet application, and this one is reactive: remove the property, or use"
                            + " 'spring-boot-starter-webmvc'");
        }
    }

    /** For applications with HTTP sessions. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnMissingBean(SessionRepository.class)
    @Import(SpringHttpSessionConfiguration.class)
    static class Servlet {

        @Bean
        StoreSessionRepository ttlStoreSessionRepository(
                Store store,
                StoreSessionProperties properties,
                ObjectProvider<SessionTimeout> timeouts,
                ObjectProvider<IndexResolver<Session>> indexes,
                ObjectProvider<SessionIdGenerator> ids,
                ApplicationEventPublisher publisher,
                ConfigurableListableBeanFactory beans,
                ResourceLoader loader) {
            SessionTimeout timeout = timeouts.getIfAvailable();
            Duration given = timeout == null ? null : timeout.getTimeout();
            StoreSessionSettings settings =
                    ConfiguredSessions.settings(properties, given, beans, loader.getClassLoader());
            return new StoreSessionRepository(
                    store,
                    new StoreSessionSettings(
                            settings.timeout(),
                            settings.saveMode(),
                            settings.flushMode(),
                            settings.attributes(),
                            indexes.getIfUnique(settings::indexes),
                            ids.getIfUnique(settings::ids)),
                    publisher,
                    beans);
        }

        @Bean
        SessionExpiries ttlStoreSessionExpiries(
                StoreSessionRepository sessions, ObjectProvider<ObservationRegistry> observations) {
            return new SessionExpiries(
                    sessions, new ExpiryCalls(observations.getIfUnique(() -> ObservationRegistry.NOOP)));
        }

        /** Takes a provider, so that Spring stops it in its own phase. */
        @Bean
        SmartLifecycle ttlStoreSessionEnding(ObjectProvider<SessionExpiries> expiries) {
            return expiries.getObject().ending();
        }

        /** Excludes the expiries from lazy initialization: nothing injects them, so they would never be created. */
        @Bean
        static LazyInitializationExcludeFilter ttlStoreSessionExpiriesAreNotLazy() {
            return LazyInitializationExcludeFilter.forBeanTypes(SessionExpiries.class);
        }
    }
}
