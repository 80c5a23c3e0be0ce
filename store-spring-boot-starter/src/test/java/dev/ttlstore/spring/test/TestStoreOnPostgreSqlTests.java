package dev.ttlstore.spring.test;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContextManager;

import dev.ttlstore.Store;
import dev.ttlstore.spring.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Where the store of a test is if the application keeps it in PostgreSQL. */
@ExtendWith(OutputCaptureExtension.class)
class TestStoreOnPostgreSqlTests {

    private static final String OF_THE_APPLICATION = "spring.config.name=on-postgresql";

    private @Nullable TestContextManager test;

    @AfterEach
    void close() {
        if (test != null) {
            test.getTestContext().markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
        }
    }

    private ApplicationContext begin(Class<?> testClass) {
        test = new TestContextManager(testClass);
        return test.getTestContext().getApplicationContext();
    }

    private String engine(Class<?> testClass) {
        Store store = begin(testClass).getBean(Store.class);
        store.group("config").put("theme", "dark");
        assertThat(store.group("config").get("theme")).contains("dark");
        return store.stats().engine();
    }

    @Test
    void aTestHasItsStoreInMemory(CapturedOutput output) {
        assertThat(engine(Plain.class)).startsWith("SQLite");
        assertThat(output)
                .contains("Tests use the starter's store in memory. To use PostgreSQL, set 'store.engine=postgresql'");
    }

    @Test
    void aTestWithTheAnnotationHasItsStoreInMemoryAndItsClock() {
        ApplicationContext context = begin(Annotated.class);
        Store store = context.getBean(Store.class);
        store.group("config").put("banner", "hello", Duration.ofMinutes(1));
        context.getBean(TestClock.class).advance(Duration.ofMinutes(1));
        assertThat(store.group("config").contains("banner")).isFalse();
        assertThat(store.stats().engine()).startsWith("SQLite");
    }

    @ParameterizedTest
    @ValueSource(classes = {InMemoryByProperty.class, InAFile.class})
    void aTestMayChooseTheEmbeddedEngine(Class<?> testClass) {
        assertThat(engine(testClass)).startsWith("SQLite");
    }

    @Tag("postgresql")
    @ParameterizedTest
    @ValueSource(classes = {ByEngine.class, NotInMemory.class, NotReplaced.class, AnnotatedNotReplaced.class})
    void aTestMayUseTheDatabaseOfItsConnectionDetails(Class<?> testClass) {
        assertThat(engine(testClass)).startsWith("PostgreSQL");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** What a container with a service connection brings. */
    @Configuration(proxyBeanMethods = false)
    static class Database {

        @Bean
        JdbcConnectionDetails database() {
            return TestDatabase.connectionDetails();
        }
    }

    @SpringBootTest(classes = Application.class, properties = OF_THE_APPLICATION)
    static class Plain {}

    @SpringBootTest(classes = Application.class, properties = OF_THE_APPLICATION)
    @AutoConfigureTestStore
    static class Annotated {}

    @SpringBootTest(
            classes = Application.class,
            properties = {OF_THE_APPLICATION, "store.engine=sqlite", "store.in-memory=true"})
    static class InMemoryByProperty {}

    @SpringBootTest(
            classes = Application.class,
            properties = {OF_THE_APPLICATION, "store.engine=sqlite", "store.path=target/instead-of-postgresql/store.db"
            })
    static class InAFile {}

    @SpringBootTest(
            classes = {Application.class, Database.class},
            properties = {OF_THE_APPLICATION, "store.engine=postgresql"})
    static class ByEngine {}

    @SpringBootTest(
            classes = {Application.class, Database.class},
            properties = {OF_THE_APPLICATION, "store.in-memory=false"})
    static class NotInMemory {}

    @SpringBootTest(
            classes = {Application.class, Database.class},
            properties = {OF_THE_APPLICATION, "store.test.replace=none"})
    static class NotReplaced {}

    @SpringBootTest(
            classes = {Application.class, Database.class},
            properties = OF_THE_APPLICATION)
    @AutoConfigureTestStore(replace = AutoConfigureTestStore.Replace.NONE)
    static class AnnotatedNotReplaced {}
}
