package dev.ttlstore.spring.session;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.session.autoconfigure.SessionTimeout;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ResourceLoader;
import org.springframework.session.IndexResolver;
import org.springframework.session.ReactiveSessionRepository;
import org.springframework.session.Session;
import org.springframework.session.SessionIdGenerator;
import org.springframework.session.SessionRepository;
import org.springframework.session.config.annotation.web.http.SpringHttpSessionConfiguration;
import org.springframework.session.config.annotation.web.server.SpringWebSessionConfiguration;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.expiry.ExpiryCalls;

import io.micrometer.observation.ObservationRegistry;

/**
 * Auto-configuration for Spring Session's sessions in the store. It runs before those of Spring Boot, which then back
 * off. It backs off itself if the application declares a repository. Spring Boot configures the cookie, the filter and
 * the timeout, as for its own repositories.
 *
 * @since 0.1
 * @see StoreSessionRepository
 * @see StoreReactiveSessionRepository
 */
@AutoConfiguration(
        after = StoreAutoConfiguration.class,
        afterName = "org.springframework.boot.webflux.autoconfigure.WebSessionIdResolverAutoConfiguration",
        beforeName = {
            "org.springframework.boot.session.autoconfigure.SessionAutoConfiguration",
            "org.springframework.boot.session.data.redis.autoconfigure.SessionDataRedisAutoConfiguration",
            "org.springframework.boot.session.jdbc.autoconfigure.JdbcSessionAutoConfiguration",
            "org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration",
            "org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration"
        })
@ConditionalOnBooleanProperty("store.session.enabled")
@ConditionalOnClass({Session.class, SessionTimeout.class})
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreSessionProperties.class)
public final class StoreSessionAutoConfiguration {

    StoreSessionAutoConfiguration() {}

    /** For applications with HTTP sessions. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnMissingBean(SessionRepository.class)
    @Import({SpringHttpSessionConfiguration.class, SessionEndings.class})
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
                ResourceLoader loader,
                ObjectProvider<SessionFollower> followers) {
            StoreSessionSettings settings =
                    new ConfiguredSessions(timeouts, indexes, ids).settings(properties, beans, loader.getClassLoader());
            return new StoreSessionRepository(
                    store, settings, publisher, beans, followers.orderedStream().toList());
        }

        @Bean
        SessionExpiries ttlStoreSessionExpiries(
                StoreSessionRepository sessions, ObjectProvider<ObservationRegistry> observations) {
            return new SessionExpiries(sessions, calls(observations));
        }
    }

    /** For applications with web sessions. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnMissingBean(ReactiveSessionRepository.class)
    @Import({SpringWebSessionConfiguration.class, SessionEndings.class})
    static class Reactive {

        @Bean
        StoreReactiveSessionRepository ttlStoreReactiveSessionRepository(
                Store store,
                StoreSessionProperties properties,
                ObjectProvider<SessionTimeout> timeouts,
                ObjectProvider<IndexResolver<Session>> indexes,
                ObjectProvider<SessionIdGenerator> ids,
                ApplicationEventPublisher publisher,
                BeanFactory beans,
                ResourceLoader loader,
                ObjectProvider<SessionFollower> followers) {
            ConfiguredSessions.requireFlushOnSave(properties);
            StoreSessionSettings settings =
                    new ConfiguredSessions(timeouts, indexes, ids).settings(properties, beans, loader.getClassLoader());
            return new StoreReactiveSessionRepository(
                    store, settings, publisher, followers.orderedStream().toList());
        }

        @Bean
        SessionExpiries ttlStoreSessionExpiries(
                StoreReactiveSessionRepository sessions, ObjectProvider<ObservationRegistry> observations) {
            return new SessionExpiries(sessions, calls(observations));
        }
    }

    private static ExpiryCalls calls(ObjectProvider<ObservationRegistry> observations) {
        return new ExpiryCalls(observations.getIfUnique(() -> ObservationRegistry.NOOP));
    }
}
