package dev.ttlstore.spring.session;

import java.io.IOException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.example.shop.Book;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.session.autoconfigure.SessionAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.session.IndexResolver;
import org.springframework.session.MapSessionRepository;
import org.springframework.session.Session;
import org.springframework.session.SessionIdGenerator;
import org.springframework.session.SessionRepository;
import org.springframework.session.web.http.DefaultCookieSerializer;
import org.springframework.session.web.http.SessionRepositoryFilter;

import dev.ttlstore.Store;
import dev.ttlstore.spring.SharedMetadata;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.autoconfigure.StoreLifecycleAutoConfiguration;
import dev.ttlstore.spring.encryption.StoreEncryptionAutoConfiguration;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

/** Sessions are in the store if the property says so, after a repository of the application and before those of Boot. */
@ExtendWith(OutputCaptureExtension.class)
class StoreSessionAutoConfigurationTests {

    private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations.of(
            SessionAutoConfiguration.class,
            StoreAutoConfiguration.class,
            StoreLifecycleAutoConfiguration.class,
            StoreSessionAutoConfiguration.class);

    @TempDir
    private Path folder;

    private WebApplicationContextRunner runner(String... properties) {
        return new WebApplicationContextRunner()
                .withInitializer(new SharedMetadata())
                .withConfiguration(CONFIGURATIONS)
                .withPropertyValues("store.path=" + folder.resolve("store.db"), "store.session.enabled=true")
                .withPropertyValues(properties);
    }

    private static StoreSession created(SessionRepository<?> repository) {
        return ((StoreSessionRepository) repository).createSession();
    }

    @Test
    void sessionsAreInTheStoreWithBootsCookieFilterAndTimeout() {
        runner().run(context -> {
            assertThat(context)
                    .hasSingleBean(StoreSessionRepository.class)
                    .hasSingleBean(SessionRepositoryFilter.class)
                    .hasSingleBean(DefaultCookieSerializer.class)
                    .hasBean("sessionRepositoryFilterRegistration");
            assertThat(context.getBean(SessionExpiries.class).isRunning()).isTrue();
            assertThat(created(context.getBean(StoreSessionRepository.class)).getMaxInactiveInterval())
                    .isEqualTo(Duration.ofMinutes(30));
        });
    }

    @Test
    void theTimeoutIsTheOneOfBoot() {
        runner("spring.session.timeout=8m").run(context -> assertThat(
                        created(context.getBean(StoreSessionRepository.class)).getMaxInactiveInterval())
                .isEqualTo(Duration.ofMinutes(8)));
        for (String never : List.of("0", "-1")) {
            runner("spring.session.timeout=" + never).run(context -> {
                StoreSessionRepository sessions = context.getBean(StoreSessionRepository.class);
                StoreSession session = created(sessions);
                assertThat(session.getMaxInactiveInterval()).isNegative();
                sessions.save(session);
                assertThat(sessions.findById(session.getId())).isNotNull();
            });
        }
    }

    @Test
    void modesAreThoseOfTheProperties() {
        runner("store.session.flush-mode=immediate", "store.session.save-mode=on-get-attribute")
                .run(context -> {
                    StoreSessionRepository sessions = context.getBean(StoreSessionRepository.class);
                    StoreSession session = sessions.createSession();
                    assertThat(sessions.findById(session.getId())).isNotNull();
                    session.setAttribute("list", new ArrayList<>());
                    requireNonNull(session.<List<String>>getAttribute("list")).add("1");
                    sessions.save(session);
                    StoreSession found = requireNonNull(sessions.findById(session.getId()));
                    assertThat(found.<List<String>>getAttribute("list")).hasSize(1);
                });
    }

    record Colour(String name) implements Serializable {}

    @Test
    void attributesAreOfTheClassesThatThePropertyAllows() {
        for (String format : List.of("java", "json")) {
            String property = "store.session.format=" + format;
            runner(property, "store.session.allowed-classes=" + Colour.class.getName())
                    .run(context -> {
                        StoreSessionRepository sessions = context.getBean(StoreSessionRepository.class);
                        StoreSession session = sessions.createSession();
                        session.setAttribute("colour", new Colour("red"));
                        session.setAttribute("number", 7L);
                        sessions.save(session);
                        StoreSession found = requireNonNull(sessions.findById(session.getId()));
                        assertThat(found.<Colour>getAttribute("colour")).isEqualTo(new Colour("red"));
                        assertThat(found.<Long>getAttribute("number")).isEqualTo(7L);
                    });
            runner(property).run(context -> {
                StoreSessionRepository sessions = context.getBean(StoreSessionRepository.class);
                StoreSession session = sessions.createSession();
                session.setAttribute("colour", new Colour("red"));
                assertThatThrownBy(() -> sessions.save(session))
                        .hasMessageContaining("'colour'")
                        .hasMessageContaining(Colour.class.getName())
                        .hasMessageContaining("'store.session.allowed-classes'");
            });
        }
    }

    @AutoConfigurationPackage
    @Configuration(proxyBeanMethods = false)
    static class Application {}

    @Test
    void thePropertyAddsToThePackagesOfTheApplication() {
        for (String format : List.of("java", "json")) {
            runner("store.session.format=" + format, "store.session.allowed-classes=" + Book.class.getName())
                    .withUserConfiguration(Application.class)
                    .run(context -> {
                        StoreSessionRepository sessions = context.getBean(StoreSessionRepository.class);
                        StoreSession session = sessions.createSession();
                        session.setAttribute("colour", new Colour("red"));
                        session.setAttribute("book", new Book("1", "A", BigDecimal.ONE));
                        sessions.save(session);
                        assertThat(requireNonNull(sessions.findById(session.getId()))
                                        .getAttributeNames())
                                .containsExactlyInAnyOrder("colour", "book");
                    });
        }
    }

    @Test
    void aRepositoryOfTheApplicationComesFirst() {
        runner().withBean(MapSessionRepository.class, () -> new MapSessionRepository(new HashMap<>()))
                .run(context -> assertThat(context)
                        .hasSingleBean(SessionRepository.class)
                        .doesNotHaveBean(StoreSessionRepository.class)
                        .doesNotHaveBean(SessionExpiries.class));
    }

    /** As those of Boot for JDBC and Redis are. */
    @Test
    void repositoriesOfBootComeAfterwards() {
        assertThat(requireNonNull(StoreSessionAutoConfiguration.class.getAnnotation(AutoConfiguration.class))
                        .beforeName())
                .contains(
                        SessionAutoConfiguration.class.getName(),
                        "org.springframework.boot.session.jdbc.autoconfigure.JdbcSessionAutoConfiguration");
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {

        @Bean
        SessionIdGenerator numbers() {
            return () -> "id-1";
        }

        @Bean
        IndexResolver<Session> colours() {
            return session -> session.getAttribute("colour") == null
                    ? Map.of()
                    : Map.of("colour", requireNonNull(session.<String>getAttribute("colour")));
        }
    }

    @Test
    void idsAndIndexesCanBeThoseOfTheApplication() {
        runner().withUserConfiguration(Own.class).run(context -> {
            StoreSessionRepository sessions = context.getBean(StoreSessionRepository.class);
            StoreSession session = sessions.createSession();
            session.setAttribute("colour", "red");
            sessions.save(session);
            assertThat(sessions.findByIndexNameAndIndexValue("colour", "red")).containsOnlyKeys("id-1");
        });
    }

    @Test
    void withoutThePropertyNothingIsThere() {
        runner("store.session.enabled=false").run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(SessionRepository.class)
                .doesNotHaveBean(SessionRepositoryFilter.class));
    }

    @Test
    void withoutItsLibraryTheStartFails() {
        new WebApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(StoreAutoConfiguration.class, StoreSessionAutoConfiguration.class))
                .withPropertyValues("store.path=" + folder.resolve("store.db"), "store.session.enabled=true")
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.session"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("store.session.enabled")
                        .hasStackTraceContaining("'org.springframework.boot:spring-boot-session'"));
    }

    @Test
    void withoutSpringSecurityAttributesCanBeJson() {
        runner("store.session.format=json")
                .withClassLoader(new FilteredClassLoader("org.springframework.security"))
                .run(context -> {
                    StoreSessionRepository sessions = context.getBean(StoreSessionRepository.class);
                    StoreSession session = sessions.createSession();
                    session.setAttribute("list", List.of("1", "2"));
                    sessions.save(session);
                    assertThat(requireNonNull(sessions.findById(session.getId()))
                                    .<List<String>>getAttribute("list"))
                            .containsExactly("1", "2");
                });
    }

    @Test
    void withoutJacksonThereIsNoJson() {
        runner("store.session.format=json")
                .withClassLoader(new FilteredClassLoader("tools.jackson"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("store.session.format")
                        .hasStackTraceContaining("'spring-boot-starter-jackson'"));
    }

    @Test
    void aValueOfAnotherTypeEndsTheStartWithItsProperty() {
        runner("store.session.flush-mode=never").run(context -> assertThat(context)
                .getFailure()
                .hasStackTraceContaining("Failed to bind properties under 'store.session.flush-mode'"));
    }

    @Test
    void settingsWithoutThePropertyAreNoticed(CapturedOutput output) {
        runner("store.session.enabled=false", "store.session.save-mode=always").run(context -> assertThat(output)
                .contains("[store.session.save-mode] have no effect, because 'store.session.enabled' is not true"));
    }

    @Test
    void aMalformedPatternEndsTheStart() {
        runner("store.session.allowed-classes=com.*.Order")
                .run(context ->
                        assertThat(context).getFailure().hasStackTraceContaining("must be the name of a class"));
    }

    @Test
    void aCommandLineHasNoSessions() {
        new ApplicationContextRunner()
                .withConfiguration(CONFIGURATIONS)
                .withPropertyValues("store.path=" + folder.resolve("store.db"), "store.session.enabled=true")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(SessionRepository.class));
    }

    @Test
    void expiriesArePublishedWithLazyInitialization() {
        runner("spring.main.lazy-initialization=true")
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(context.getBeanFactory().containsSingleton("ttlStoreSessionExpiries"))
                        .isTrue());
    }

    @Test
    void aMockOfTheStoreDoesNotEndTheStart() {
        runner().withBean(Store.class, () -> mock(Store.class))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void sessionsCanBeEncrypted() {
        String[] encrypted = {
            "store.encryption.groups=session",
            "store.encryption.keyset=" + folder.resolve("keyset.json").toUri(),
            "store.encryption.create-keyset=true"
        };
        runner().withConfiguration(AutoConfigurations.of(StoreEncryptionAutoConfiguration.class))
                .withPropertyValues(encrypted)
                .run(context -> {
                    StoreSessionRepository sessions = context.getBean(StoreSessionRepository.class);
                    StoreSession session = sessions.createSession();
                    session.setAttribute("text", "hidden-value");
                    sessions.save(session);
                    StoreSession found = requireNonNull(sessions.findById(session.getId()));
                    assertThat(found.<String>getAttribute("text")).isEqualTo("hidden-value");
                    assertThat(bytesOfTheStore()).contains("session").doesNotContain("hidden-value", session.getId());
                });
    }

    private String bytesOfTheStore() throws IOException {
        StringBuilder bytes = new StringBuilder();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>)
                    files.filter(path -> path.getFileName().toString().matches("store.db(-wal)?"))::iterator) {
                bytes.append(Files.readString(file, ISO_8859_1));
            }
        }
        return bytes.toString();
    }
}
