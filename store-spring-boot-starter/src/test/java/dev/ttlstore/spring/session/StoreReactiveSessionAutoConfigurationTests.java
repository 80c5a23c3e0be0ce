package dev.ttlstore.spring.session;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.session.autoconfigure.SessionAutoConfiguration;
import org.springframework.boot.session.autoconfigure.SessionTimeout;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebSessionIdResolverAutoConfiguration;
import org.springframework.session.ReactiveMapSessionRepository;
import org.springframework.session.ReactiveSessionRepository;
import org.springframework.session.SessionRepository;
import org.springframework.session.web.server.session.SpringSessionWebSessionStore;
import org.springframework.web.server.session.CookieWebSessionIdResolver;
import org.springframework.web.server.session.DefaultWebSessionManager;

import dev.ttlstore.spring.SharedMetadata;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.autoconfigure.StoreLifecycleAutoConfiguration;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Sessions of a WebFlux application are in the store if the property says so. */
@ExtendWith(OutputCaptureExtension.class)
class StoreReactiveSessionAutoConfigurationTests {

    @TempDir
    private Path folder;

    private ReactiveWebApplicationContextRunner runner(String... properties) {
        return new ReactiveWebApplicationContextRunner()
                .withInitializer(new SharedMetadata())
                .withConfiguration(AutoConfigurations.of(
                        SessionAutoConfiguration.class,
                        StoreAutoConfiguration.class,
                        StoreLifecycleAutoConfiguration.class,
                        StoreSessionAutoConfiguration.class))
                .withBean(ServerProperties.class, ServerProperties::new)
                .withPropertyValues("store.path=" + folder.resolve("store.db"), "store.session.enabled=true")
                .withPropertyValues(properties);
    }

    private static Duration interval(StoreReactiveSessionRepository sessions) {
        return requireNonNull(sessions.createSession().block(Duration.ofSeconds(60)))
                .getMaxInactiveInterval();
    }

    @Test
    void webSessionsAreInTheStoreWithBootsCookieAndTimeout() {
        runner("server.reactive.session.timeout=7m", "server.reactive.session.cookie.name=ID")
                .withConfiguration(AutoConfigurations.of(
                        WebSessionIdResolverAutoConfiguration.class,
                        WebFluxAutoConfiguration.class,
                        HttpHandlerAutoConfiguration.class))
                .run(context -> {
                    assertThat(context)
                            .hasSingleBean(StoreReactiveSessionRepository.class)
                            .doesNotHaveBean(SessionRepository.class);
                    DefaultWebSessionManager manager =
                            context.getBean("webSessionManager", DefaultWebSessionManager.class);
                    assertThat(manager.getSessionStore()).isInstanceOf(SpringSessionWebSessionStore.class);
                    assertThat(((CookieWebSessionIdResolver) manager.getSessionIdResolver()).getCookieName())
                            .isEqualTo("ID");
                    assertThat(interval(context.getBean(StoreReactiveSessionRepository.class)))
                            .isEqualTo(Duration.ofMinutes(7));
                    assertThat(context.getBean(SessionExpiries.class).isRunning())
                            .isTrue();
                });
    }

    @Test
    void theTimeoutIsTheOneOfBoot() {
        runner().run(context -> assertThat(interval(context.getBean(StoreReactiveSessionRepository.class)))
                .isEqualTo(Duration.ofMinutes(30)));
        runner("spring.session.timeout=8m", "server.reactive.session.timeout=7m")
                .run(context -> assertThat(interval(context.getBean(StoreReactiveSessionRepository.class)))
                        .isEqualTo(Duration.ofMinutes(8)));
        runner().withBean(SessionTimeout.class, () -> () -> Duration.ZERO)
                .run(context -> assertThat(interval(context.getBean(StoreReactiveSessionRepository.class)))
                        .isNegative());
    }

    @Test
    void aRepositoryOfTheApplicationComesFirst(CapturedOutput output) {
        runner().withBean(
                        "mine",
                        ReactiveMapSessionRepository.class,
                        () -> new ReactiveMapSessionRepository(new HashMap<>()))
                .run(context -> assertThat(context)
                        .hasSingleBean(ReactiveSessionRepository.class)
                        .doesNotHaveBean(StoreReactiveSessionRepository.class)
                        .doesNotHaveBean(SessionExpiries.class));
        assertThat(output).contains("'store.session.enabled' has no effect, because of the application's own [mine]");
    }

    @Test
    void immediateFlushIsRefusedWithAReason() {
        runner("store.session.flush-mode=immediate").run(context -> assertThat(context)
                .getFailure()
                .hasStackTraceContaining("store.session.flush-mode")
                .hasStackTraceContaining("a WebFlux application cannot write each change at once"));
    }

    /** Or WebFlux would keep its sessions in memory, and Redis or JDBC those of Spring Session. */
    @Test
    void whatBootWouldConfigureComesAfterwards() {
        AutoConfiguration order =
                requireNonNull(StoreSessionAutoConfiguration.class.getAnnotation(AutoConfiguration.class));
        assertThat(order.beforeName())
                .contains(WebFluxAutoConfiguration.class.getName(), HttpHandlerAutoConfiguration.class.getName());
        assertThat(order.afterName()).contains(WebSessionIdResolverAutoConfiguration.class.getName());
    }

    @Test
    void expiriesArePublishedWithLazyInitialization() {
        runner("spring.main.lazy-initialization=true")
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(context.getBeanFactory().containsSingleton("ttlStoreSessionExpiries"))
                        .isTrue());
    }
}
