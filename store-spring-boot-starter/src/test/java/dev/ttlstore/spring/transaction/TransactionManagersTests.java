package dev.ttlstore.spring.transaction;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Which transaction managers are observed. */
@Tag("postgresql")
class TransactionManagersTests {

    private final String schema = TestDatabase.freshName();

    @Test
    void theTransactionManagerIsObservedOnceAndOnlyByAStoreThatTakesPart(@TempDir Path folder) {
        StarterRunner.onPostgreSql(schema)
                .withConfiguration(AutoConfigurations.of(TransactionManagerCustomizationAutoConfiguration.class))
                .run(context -> assertThat(context.getBean(ConfigurableTransactionManager.class)
                                .getTransactionExecutionListeners())
                        .hasSize(1));
        StarterRunner.at(folder)
                .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:transactions")
                .run(context -> assertThat(context.getBean(ConfigurableTransactionManager.class)
                                .getTransactionExecutionListeners())
                        .isEmpty());
    }

    @Configuration(proxyBeanMethods = false)
    static class Managers {

        @Bean
        JdbcTransactionManager early(DataSource source) {
            return new JdbcTransactionManager(source);
        }

        @Bean
        @Lazy
        JdbcTransactionManager lazy(DataSource source) {
            return new JdbcTransactionManager(source);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theManagersOfAChildContextAreObserved(boolean ofTheStarter) {
        StarterRunner.onPostgreSql(schema).run(parent -> {
            TextGroup group = parent.getBean(Store.class).group("group");
            ApplicationContextRunner plain =
                    new ApplicationContextRunner().withPropertyValues("store.engine=postgresql");
            (ofTheStarter ? StarterRunner.onPostgreSql(schema) : plain)
                    .withParent(parent)
                    .withUserConfiguration(Managers.class)
                    .run(child -> {
                        for (String name : List.of("early", "lazy")) {
                            new TransactionTemplate(child.getBean(name, JdbcTransactionManager.class))
                                    .executeWithoutResult(status -> AfterCommit.run(() -> {
                                        group.put(name, "value");
                                        assertThat(keysElsewhere(group)).contains(name);
                                    }));
                        }
                    });
        });
    }

    /** Reads in another thread, which is not part of the transaction. */
    private static List<String> keysElsewhere(TextGroup group) {
        return CompletableFuture.supplyAsync(() -> group.keys().toList())
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }
}
