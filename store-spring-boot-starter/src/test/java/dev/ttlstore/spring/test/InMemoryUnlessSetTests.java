package dev.ttlstore.spring.test;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.PropertySource;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestPropertySource;

import dev.ttlstore.Store;

import static org.assertj.core.api.Assertions.assertThat;

/** Where the store of a test is that does not have the annotation. */
@ExtendWith(OutputCaptureExtension.class)
class InMemoryUnlessSetTests {

    private static final String AT = "store.path=target/at-a-path/store.db";

    private static final String KEYSET = "target/never-made/keyset.json";

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

    @ParameterizedTest
    @ValueSource(classes = {Plain.class, OfTheApplication.class})
    void theStoreIsInMemoryWhateverTheApplicationSays(Class<?> testClass, CapturedOutput output) {
        assertInMemory(testClass, output);
    }

    @Tag("variant")
    @ParameterizedTest
    @ValueSource(classes = {OfAProfile.class, OfAPropertySource.class})
    void theStoreIsInMemoryWhereverTheApplicationSaysIt(Class<?> testClass, CapturedOutput output) {
        assertInMemory(testClass, output);
    }

    private void assertInMemory(Class<?> testClass, CapturedOutput output) {
        assertThat(begin(testClass).getBean(Store.class).path()).isNull();
        assertThat(output).contains("Tests use the starter's store in memory", "'store.test.replace=none'");
    }

    @Test
    void classesShareTheirContext() {
        ApplicationContext context = begin(Plain.class);
        assertThat(new TestContextManager(PlainToo.class).getTestContext().getApplicationContext())
                .isSameAs(context);
    }

    @ParameterizedTest
    @ValueSource(classes = {ByProperty.class, ByFile.class, ByDynamicProperty.class, NotReplaced.class})
    void theStoreIsWhereTheTestSays(Class<?> testClass) {
        assertAtThePath(testClass);
    }

    @Tag("variant")
    @ParameterizedTest
    @ValueSource(
            classes = {
                ByArgument.class,
                ByInitializer.class,
                NotReplacedOfAProfile.class,
                NotReplacedOfAPropertySource.class
            })
    void theStoreIsWhereTheTestSaysInOtherWays(Class<?> testClass) {
        assertAtThePath(testClass);
    }

    private void assertAtThePath(Class<?> testClass) {
        assertThat(begin(testClass).getBean(Store.class).path())
                .hasToString(
                        Path.of("target/at-a-path/store.db").toAbsolutePath().toString());
    }

    @Test
    void aStoreOfTheApplicationsOwnIsLeftAsItIs() {
        assertThat(begin(OwnStore.class).getBean(Store.class).path()).hasFileName("own.db");
    }

    @Test
    void noKeysetIsNeededAndNoneIsMade() {
        Store store = begin(Encrypted.class).getBean(Store.class);
        store.group("secrets").put("key", "value");
        assertThat(store.group("secrets").get("key")).contains("value");
        assertThat(Path.of(KEYSET)).doesNotExist();
    }

    /** A runner of contexts knows of no test, so what the page about testing says is all that there is. */
    @Test
    void theContextOfARunnerHasItsStoreInMemoryByOneLine() {
        new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withPropertyValues("store.in-memory=true")
                .run(context -> assertThat(context.getBean(Store.class).path()).isNull());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @SpringBootTest(classes = Application.class)
    static class Plain {}

    @SpringBootTest(classes = Application.class)
    static class PlainToo {}

    @SpringBootTest(classes = Application.class, properties = "spring.config.name=at-a-path")
    static class OfTheApplication {}

    @SpringBootTest(classes = Application.class, properties = AT)
    static class ByProperty {}

    @SpringBootTest(classes = Application.class)
    @TestPropertySource("file:${user.dir}/src/test/resources/at-a-path.properties")
    static class ByFile {}

    @SpringBootTest(classes = Application.class)
    static class ByDynamicProperty {

        @DynamicPropertySource
        static void properties(DynamicPropertyRegistry registry) {
            registry.add("store.path", () -> "target/at-a-path/store.db");
        }
    }

    @SpringBootTest(classes = Application.class, args = "--" + AT)
    static class ByArgument {}

    @SpringBootTest(classes = Application.class)
    @ContextConfiguration(initializers = Initializer.class)
    static class ByInitializer {}

    static class Initializer implements ApplicationContextInitializer<ConfigurableApplicationContext> {

        @Override
        public void initialize(ConfigurableApplicationContext context) {
            TestPropertyValues.of(AT).applyTo(context);
        }
    }

    @SpringBootTest(
            classes = Application.class,
            properties = {"spring.config.name=at-a-path", "store.test.replace=none"})
    static class NotReplaced {}

    @SpringBootTest(classes = Application.class, properties = "spring.config.name=of-a-profile")
    @ActiveProfiles("test")
    static class OfAProfile {}

    @SpringBootTest(classes = Application.class, properties = "spring.config.name=of-a-profile")
    @ActiveProfiles({"test", "file"})
    static class NotReplacedOfAProfile {}

    @SpringBootTest(classes = {Application.class, WithPropertySource.class})
    static class OfAPropertySource {}

    @Configuration(proxyBeanMethods = false)
    @PropertySource("classpath:of-a-profile-test.properties")
    static class WithPropertySource {}

    @SpringBootTest(classes = {Application.class, WithPropertySourceAndFile.class})
    static class NotReplacedOfAPropertySource {}

    @Configuration(proxyBeanMethods = false)
    @PropertySource({"classpath:of-a-profile-test.properties", "classpath:of-a-profile-file.properties"})
    static class WithPropertySourceAndFile {}

    @SpringBootTest(classes = {Application.class, WithStore.class})
    static class OwnStore {}

    @Configuration(proxyBeanMethods = false)
    static class WithStore {

        @Bean
        Store own() {
            return Store.open(Path.of("target/at-a-path/own.db"));
        }
    }

    @SpringBootTest(
            classes = Application.class,
            properties = {
                "store.encryption.groups=secrets",
                "store.encryption.keyset=" + KEYSET,
                "store.encryption.create-keyset=true"
            })
    static class Encrypted {}
}
