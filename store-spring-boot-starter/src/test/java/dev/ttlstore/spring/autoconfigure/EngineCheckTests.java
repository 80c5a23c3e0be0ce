package dev.ttlstore.spring.autoconfigure;

import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import dev.ttlstore.Store;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.spring.SharedMetadata;

import static org.assertj.core.api.Assertions.assertThat;

/** What is said of properties of the engine that is not chosen. No database is needed for that. */
@ExtendWith(OutputCaptureExtension.class)
class EngineCheckTests {

    private static final String SHARED = "store.engine=postgresql";

    private static ApplicationContextRunner runner(String... properties) {
        return new ApplicationContextRunner()
                .withInitializer(new SharedMetadata())
                .withConfiguration(AutoConfigurations.of(StoreAutoConfiguration.class))
                .withPropertyValues(properties);
    }

    private static ApplicationContextRunner withOwnStore(String... properties) {
        return runner(properties).withBean(Store.class, Store::inMemory);
    }

    private static ApplicationContextRunner withLowerPrecedence(
            ApplicationContextRunner runner, Map<String, Object> properties) {
        return runner.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .addLast(new MapPropertySource("of the application", properties)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "store.path=store.db",
                "store.in-memory=true",
                "store.durability=full",
                "store.lock-timeout=1s",
                "store.lockTimeout=1s",
                "store.sqlite.readers=5",
                "store.sqlite.page-cache-size=2MB",
                "store.sqlite.mmap-size=0B",
                "store.sqlite.wal-limit=1MB",
                "store.sqlite.copy-before-migration=true",
                "store.sqlite.reclaim-after=0s",
                "store.sqlite.external-checkpoints=true",
                "store.backup.enabled=true"
            })
    void aPropertyOfTheEmbeddedEngineFailsTheStartOnTheSharedOne(String property) {
        runner(SHARED, property).run(context -> assertThat(context)
                .getFailure()
                .isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, failure -> {
                    assertThat(failure.getName().replace("-", ""))
                            .isEqualToIgnoringCase(
                                    property.substring(0, property.indexOf('=')).replace("-", ""));
                    assertThat(failure.getReason()).contains("remove it, or set 'store.engine' to 'sqlite'");
                }));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "store.postgresql.schema=app",
                "store.postgresql.initialize-schema=never",
                "store.postgresql.initializeSchema=never",
                "store.postgresql.notifications=false",
                "store.postgresql.kept-changes=1h",
                "store.postgresql.distributed=false"
            })
    void aPropertyOfTheSharedEngineFailsTheStartOnTheEmbeddedOne(String property) {
        for (String engine : new String[] {"store.in-memory=true", "store.engine=sqlite"}) {
            runner(engine, property).run(context -> assertThat(context)
                    .getFailure()
                    .isInstanceOfSatisfying(
                            InvalidConfigurationPropertyValueException.class, failure -> assertThat(failure.getReason())
                                    .contains("unless 'store.engine' is 'postgresql'")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"store.in-memory=false", "store.near-cache.max-size=1MB", "store.retention=1d"})
    void whatBothEnginesHaveIsNotRefused(String property) {
        withOwnStore(SHARED, property).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void whatTheEngineOverridesIsLogged(CapturedOutput output) {
        withLowerPrecedence(
                        withOwnStore(SHARED),
                        Map.of("store.path", "store.db", "store.in-memory", "true", "store.sqlite.readers", "5"))
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("The properties [store.in-memory, store.path, store.sqlite.readers] have no effect,"
                        + " because 'store.engine' is 'postgresql'");
    }

    @Test
    void theEmbeddedEngineOverridesToo(CapturedOutput output) {
        withLowerPrecedence(
                        withOwnStore("store.engine=sqlite", "store.in-memory=true"),
                        Map.of("store.engine", "postgresql", "store.postgresql.schema", "app"))
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains(
                        "The properties [store.postgresql.schema] have no effect, because 'store.engine' is 'sqlite'");
    }

    @Test
    void anEnvironmentVariableMayBelongToAnotherProgram(CapturedOutput output) {
        withOwnStore(SHARED)
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .replace(
                                "systemEnvironment",
                                new SystemEnvironmentPropertySource(
                                        "systemEnvironment", Map.of("STORE_PATH", "/nix", "STORE_LOCK_TIMEOUT", "1s"))))
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).contains("The properties [store.lock-timeout, store.path] have no effect");
    }

    @Test
    void aSettingOfTheOtherEngineIsRefusedWhereItHasHigherPrecedence() {
        for (String property : List.of("store.in-memory=true", "store.path=store.db")) {
            withLowerPrecedence(runner(property), Map.of("store.engine", "postgresql"))
                    .run(context -> assertThat(context)
                            .getFailure()
                            .isInstanceOfSatisfying(
                                    InvalidConfigurationPropertyValueException.class,
                                    failure -> assertThat(failure.getReason())
                                            .contains("remove it, or set 'store.engine' to 'sqlite'")));
        }
    }

    @Test
    void aStoreIsKeptInMemoryWithTheEngineThatCan(CapturedOutput output) {
        withLowerPrecedence(runner("store.engine=sqlite", "store.in-memory=true"), Map.of("store.engine", "postgresql"))
                .run(context -> assertThat(context.getBean(Store.class).stats().engine())
                        .startsWith("SQLite"));
        assertThat(output).contains("The store is in memory").doesNotContain("have no effect");
    }

    @Test
    void theSharedEngineIsNotKeptInMemoryByALowerPrecedence() {
        withLowerPrecedence(runner(SHARED), Map.of("store.in-memory", "true")).run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("needs a DataSource"));
    }

    @Test
    void aMisspeltPropertyIsRefusedWithTheNearest() {
        runner(SHARED, "store.postgresql.shema=app").run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(UnknownPropertyException.class)
                .hasMessageContaining("the nearest name is 'store.postgresql.schema'"));
    }

    @Test
    void anEngineThatDoesNotExistIsRefused() {
        runner("store.engine=postgres")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("postgres"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "store.postgresql.schema=",
                "store.postgresql.schema=a?b",
                "store.postgresql.kept-changes=59s",
                "store.postgresql.kept-changes=8d",
                "store.postgresql.kept-changes=300",
                "store.postgresql.commits-in-flight=0",
                "store.postgresql.commits-in-flight=65",
                "store.postgresql.notifications=maybe",
                "store.postgresql.distributed=maybe",
                "store.postgresql.initialize-schema=embedded"
            })
    void aValueThatIsNoneIsRefusedByTheNameOfItsProperty(String property) {
        runner(SHARED, property)
                .withUserConfiguration(NowhereConfiguration.class)
                .run(context -> assertThat(context).getFailure().satisfies(failure -> assertThat(messages(failure))
                        .contains(property.substring(0, property.indexOf('=')))));
    }

    private static String messages(Throwable failure) {
        StringBuilder messages = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            messages.append(cause.getMessage()).append('\n');
        }
        return messages.toString();
    }

    @Configuration(proxyBeanMethods = false)
    static class NowhereConfiguration {

        @Bean
        DataSource nowhere() {
            return new JdbcDataSource();
        }
    }
}
