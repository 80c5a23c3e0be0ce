package dev.ttlstore.spring.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.exception.StoreUnavailableException;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.TestDatabase;

import io.micrometer.core.instrument.MeterRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Which connections the store uses beside those of the application's transactions. */
@Tag("variant")
@Tag("postgresql")
class OwnConnectionsTests {

    private static final int POOL = 2;

    private final String schema = TestDatabase.freshName();

    private ApplicationContextRunner runner() {
        return StarterRunner.onPostgreSql(schema)
                .withPropertyValues(
                        "spring.datasource.hikari.maximum-pool-size=" + POOL,
                        "spring.datasource.hikari.connection-timeout=500",
                        "spring.datasource.hikari.data-source-properties.ApplicationName=" + schema);
    }

    /** Has as many transactions as the pool has connections write after their commit, while all still keep their connections. */
    private static void writeAfterCommits(ApplicationContext context) throws Exception {
        TransactionTemplate transactions = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        TextGroup group = context.getBean(Store.class).group("group");
        CyclicBarrier all = new CyclicBarrier(POOL);
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int i = 0; i < POOL; i++) {
            String key = "key" + i;
            callers.add(CompletableFuture.runAsync(() -> onceThereIsAConnection(transactions, status -> {
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        meet(all);
                        try {
                            group.put(key, "value");
                            assertThat(group.get(key)).contains("value");
                        } finally {
                            meet(all);
                        }
                    }
                });
                context.getBean(JdbcTemplate.class).execute("SELECT 1");
            })));
        }
        CompletableFuture.allOf(callers.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        assertThat(group.count()).isEqualTo(POOL);
    }

    /** Runs a transaction, again if the pool was busy with the store's own work for longer than its timeout. */
    private static void onceThereIsAConnection(TransactionTemplate transactions, Consumer<TransactionStatus> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                transactions.executeWithoutResult(work);
                return;
            } catch (CannotCreateTransactionException e) {
                if (attempt == 20) {
                    throw e;
                }
            }
        }
    }

    private static void meet(CyclicBarrier all) {
        try {
            all.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private @Nullable Long connections() {
        return new JdbcTemplate(TestDatabase.dataSource())
                .queryForObject("SELECT count(*) FROM pg_stat_activity WHERE application_name = ?", Long.class, schema);
    }

    @Test
    void aPoolThatIsFullOfTransactionsDoesNotKeepTheStoreWaiting() {
        runner().run(context -> writeAfterCommits(context));
    }

    @Test
    void soItIsIfTheApplicationFetchesConnectionsLazily() {
        runner().withPropertyValues("spring.datasource.connection-fetch=lazy")
                .run(context -> writeAfterCommits(context));
    }

    @Test
    void withoutConnectionsOfItsOwnTheStoreWaitsForTheApplications() {
        runner().withPropertyValues("store.postgresql.connections=0")
                .run(context -> assertThatThrownBy(() -> writeAfterCommits(context))
                        .hasCauseInstanceOf(StoreUnavailableException.class));
    }

    @Test
    void theApplicationsPoolIsUntouchedUnlessThereIsATransaction() {
        runner().run(context -> {
            context.getBean(Store.class).group("group").put("key", "value");
            assertThat(context).hasSingleBean(DataSource.class);
            HikariDataSource pool = context.getBean(HikariDataSource.class);
            assertThat(pool.isRunning()).isFalse();
            assertThat(pool.getMaximumPoolSize()).isEqualTo(POOL);
        });
    }

    @Test
    void theyHaveMeters() {
        runner().run(context -> assertThat(context.getBean(MeterRegistry.class)
                        .get("hikaricp.connections.max")
                        .tag("pool", "ttl-store")
                        .gauge()
                        .value())
                .isEqualTo(5));
    }

    /** The server notices a moment later. */
    private void awaitNoConnections() {
        await().untilAsserted(() -> assertThat(connections()).isZero());
    }

    @Test
    void theyCloseWithTheStore() {
        runner().run(context -> assertThat(connections()).isPositive());
        awaitNoConnections();
    }

    @Test
    void theyCloseIfTheStartFails() {
        runner().withPropertyValues("store.postgresql.initialize-schema=never")
                .run(context -> assertThat(context).hasFailed());
        awaitNoConnections();
    }

    @ParameterizedTest
    @CsvSource({"-1, 10", "2, 5", "7, 7", "50, 10"})
    void thereAreAsManyAsThoseOfTheApplicationWithinLimits(int size, int expected) throws Exception {
        try (HikariDataSource pool = new HikariDataSource();
                OwnConnections own = new OwnConnections()) {
            if (size > 0) {
                pool.setMaximumPoolSize(size);
            }
            assertThat(own.beside(pool, true, null))
                    .isInstanceOfSatisfying(HikariDataSource.class, copy -> assertThat(copy.getMaximumPoolSize())
                            .isEqualTo(expected));
        }
    }

    @Test
    void tooFewAreRefused() {
        runner().withPropertyValues("store.postgresql.connections=4").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("store.postgresql.connections")
                .hasMessageContaining("at least 5"));
    }

    @Test
    void aMarkedDataSourceIsUsedItself() {
        runner().withUserConfiguration(Marked.class).run(context -> {
            context.getBean(Store.class).group("group").put("key", "value");
            assertThat(context.getBean("marked", HikariDataSource.class).isRunning())
                    .isTrue();
        });
    }

    @Test
    void aWrapperIsUsedItselfAndCannotBeCopied() {
        runner().withUserConfiguration(Wrapped.class)
                .run(context -> context.getBean(Store.class).group("group").put("key", "value"));
        runner().withUserConfiguration(Wrapped.class)
                .withPropertyValues("store.postgresql.connections=5")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("store.postgresql.connections")
                        .hasMessageContaining("HikariDataSource"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Marked {

        @Bean(defaultCandidate = false)
        @StoreDataSource
        HikariDataSource marked() {
            HikariDataSource marked = new HikariDataSource();
            marked.setDataSource(TestDatabase.dataSource());
            marked.setMaximumPoolSize(5);
            return marked;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Wrapped {

        @Bean
        DataSource wrapped() {
            return new DelegatingDataSource(TestDatabase.dataSource());
        }
    }
}
