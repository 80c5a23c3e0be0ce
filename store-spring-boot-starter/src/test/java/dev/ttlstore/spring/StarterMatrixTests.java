package dev.ttlstore.spring;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.transaction.PlatformTransactionManager;

import dev.ttlstore.Store;
import dev.ttlstore.spring.purge.StorePurgeJob;

import static org.assertj.core.api.Assertions.assertThat;

/** The starter beside whatever an application has, and without what it has not. */
@Tag("variant")
class StarterMatrixTests {

    @TempDir
    private Path folder;

    /** What is not on the class path. */
    enum Without {
        NOTHING,
        ACTUATOR,
        HEALTH,
        MICROMETER,
        JACKSON,
        JDBC,
        TINK,
        ALL_OF_THESE;

        Stream<String> packages() {
            return switch (this) {
                case NOTHING -> Stream.of();
                case ACTUATOR -> Stream.of("org.springframework.boot.actuate.");
                case HEALTH -> Stream.of("org.springframework.boot.health.");
                case MICROMETER -> Stream.of("io.micrometer.", "org.springframework.boot.micrometer.");
                case JACKSON -> Stream.of("tools.jackson.", "com.fasterxml.jackson.");
                case JDBC ->
                    Stream.of(
                            "org.springframework.jdbc.",
                            "org.springframework.boot.jdbc.",
                            "org.springframework.transaction.");
                case TINK -> Stream.of("com.google.crypto.tink.");
                case ALL_OF_THESE ->
                    Stream.of(ACTUATOR, HEALTH, MICROMETER, JACKSON, JDBC, TINK).flatMap(Without::packages);
            };
        }

        boolean has(Without library) {
            return this != library && this != ALL_OF_THESE;
        }
    }

    /** What the application has of its own. */
    enum With {
        NO_DATA_SOURCE {
            @Override
            ApplicationContextRunner configure(ApplicationContextRunner runner) {
                return runner;
            }
        },
        OWN_DATA_SOURCE {
            @Override
            ApplicationContextRunner configure(ApplicationContextRunner runner) {
                return runner.withBean("own", DataSource.class, JdbcDataSource::new);
            }
        },
        OWN_STORE {
            @Override
            ApplicationContextRunner configure(ApplicationContextRunner runner) {
                return runner.withBean("own", Store.class, Store::inMemory);
            }
        },
        OWN_TASK_SCHEDULER {
            @Override
            ApplicationContextRunner configure(ApplicationContextRunner runner) {
                return runner.withBean("own", TaskScheduler.class, ThreadPoolTaskScheduler::new);
            }
        },
        VIRTUAL_THREADS {
            @Override
            ApplicationContextRunner configure(ApplicationContextRunner runner) {
                return runner.withPropertyValues("spring.threads.virtual.enabled=true");
            }
        },
        LAZY_INITIALIZATION {
            @Override
            ApplicationContextRunner configure(ApplicationContextRunner runner) {
                return runner.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()));
            }
        };

        abstract ApplicationContextRunner configure(ApplicationContextRunner runner);
    }

    /** Each library is missing once, and each bean of the application's own is there once. */
    @ParameterizedTest(name = "without {0}, with {1}")
    @MethodSource("single")
    void theStoreWorksAndLeavesTheRestAlone(Without without, With with) {
        assertTheStoreWorksAndLeavesTheRestAlone(without, with);
    }

    @Tag("variant")
    @ParameterizedTest(name = "without {0}, with {1}")
    @MethodSource("combined")
    void theStoreWorksInEachCombination(Without without, With with) {
        assertTheStoreWorksAndLeavesTheRestAlone(without, with);
    }

    private void assertTheStoreWorksAndLeavesTheRestAlone(Without without, With with) {
        FilteredClassLoader classPath =
                new FilteredClassLoader(without.packages().toArray(String[]::new));
        with.configure(StarterRunner.at(folder).withClassLoader(classPath))
                .withPropertyValues("management.endpoints.web.exposure.include=store")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(Store.class);
                    assertTextsAreKept(context);
                    assertThePurgeIsScheduled(context, with);
                    assertThat(context.containsBean("storeHealthContributor"))
                            .as("health")
                            .isEqualTo(without.has(Without.HEALTH));
                    assertThat(context.containsBean("ttlStoreEndpoint"))
                            .as("endpoint")
                            .isEqualTo(without.has(Without.ACTUATOR));
                    assertThat(context.containsBean("ttlStoreMetrics"))
                            .as("metrics")
                            .isEqualTo(without.has(Without.MICROMETER));
                    assertThat(context.containsBean("ttlStoreJacksonCodecFactory"))
                            .as("JSON")
                            .isEqualTo(without.has(Without.JACKSON));
                    assertDataSourceIsLeftAlone(context, with == With.OWN_DATA_SOURCE, without.has(Without.JDBC));
                    assertThat(context.containsBean("own"))
                            .isEqualTo(with.name().startsWith("OWN"));
                });
    }

    private static Stream<Arguments> single() {
        return pairs(StarterMatrixTests::isSingle);
    }

    private static Stream<Arguments> combined() {
        return pairs((without, with) -> !isSingle(without, with));
    }

    private static boolean isSingle(Without without, With with) {
        return without == Without.NOTHING || with == With.NO_DATA_SOURCE;
    }

    private static Stream<Arguments> pairs(BiPredicate<Without, With> chosen) {
        return Stream.of(Without.values()).flatMap(without -> Stream.of(With.values())
                .filter(with -> chosen.test(without, with))
                .map(with -> Arguments.of(without, with)));
    }

    private static void assertTextsAreKept(AssertableApplicationContext context) {
        Store store = context.getBean(Store.class);
        store.group("config").put("theme", "dark");
        assertThat(store.group("config").get("theme")).contains("dark");
    }

    private static void assertThePurgeIsScheduled(AssertableApplicationContext context, With with) {
        assertThat(context).hasSingleBean(StorePurgeJob.class);
        assertThat(context.getBeanNamesForType(TaskScheduler.class))
                .containsExactly(with == With.OWN_TASK_SCHEDULER ? new String[] {"own"} : new String[0]);
        Set<ScheduledTask> tasks = context.getBean(ScheduledTaskHolder.class).getScheduledTasks();
        assertThat(tasks).singleElement().satisfies(task -> assertThat(
                        ((FixedDelayTask) task.getTask()).getIntervalDuration())
                .isEqualTo(Duration.ofSeconds(60)));
    }

    private static void assertDataSourceIsLeftAlone(
            AssertableApplicationContext context, boolean ownDataSource, boolean jdbc) {
        assertThat(context.getBeanNamesForType(DataSource.class)).hasSize(ownDataSource ? 1 : 0);
        assertThat(context.getBeanNamesForType(JdbcTemplate.class)).hasSize(ownDataSource && jdbc ? 1 : 0);
        assertThat(context.getBeanNamesForType(PlatformTransactionManager.class))
                .hasSize(ownDataSource && jdbc ? 1 : 0);
    }
}
