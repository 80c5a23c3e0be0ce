package dev.ttlstore.spring.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.ttlstore.Entry;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.StoreSchemaException;
import dev.ttlstore.spring.PostgreSqlApplication;
import dev.ttlstore.spring.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What the properties and beans of an application set for a store in its database. */
@Tag("postgresql")
@ExtendWith(OutputCaptureExtension.class)
class StoreOnPostgreSqlTests extends PostgreSqlApplication {

    /** Otherwise one instance whose clock is wrong would let the entries of all expire. */
    @Test
    void aClockOfTheApplicationDoesNotReplaceTheTimeOfTheServer(CapturedOutput output) {
        Clock ahead = Clock.offset(Clock.systemUTC(), Duration.ofHours(1));
        runner().run(one -> runner().withBean(Clock.class, () -> ahead).run(other -> {
            store(one).group("config").put("banner", "hello", Duration.ofMinutes(30));
            assertThat(store(other).purgeExpired()).isZero();
            assertThat(store(other).group("config").get("banner")).contains("hello");
            store(other).group("config").put("other", "hello", Duration.ofMinutes(30));
            assertThat(store(other).group("config").entry("other"))
                    .map(Entry::expiresAt)
                    .hasValueSatisfying(end -> assertThat(end).isBefore(ahead.instant()));
        }));
        assertThat(output).containsOnlyOnce("bean of the application does not set the time of the store");
    }

    @Test
    void aCustomizerMayReplaceTheTimeOfTheServer() {
        Instant now = Instant.parse("2040-01-01T00:00:00Z");
        runner().withBean(StoreBuilderCustomizer.class, () -> builder -> builder.clock(InstantSource.fixed(now)))
                .run(context -> {
                    store(context).group("config").put("banner", "hello", Duration.ofMinutes(30));
                    assertThat(store(context).group("config").entry("banner"))
                            .map(Entry::expiresAt)
                            .contains(now.plus(Duration.ofMinutes(30)));
                });
    }

    @Test
    void thereIsNoNearCacheUnlessItsSizeIsSet() {
        runner().run(context -> {
            readTwice(store(context));
            assertThat(store(context).activity().cache().hits()).isZero();
        });
        runner().withPropertyValues("store.near-cache.max-size=1MB").run(context -> {
            readTwice(store(context));
            assertThat(store(context).activity().cache().hits()).isPositive();
        });
    }

    private static void readTwice(Store store) {
        store.group("config").put("theme", "dark");
        for (int i = 0; i < 3; i++) {
            assertThat(store.group("config").get("theme")).contains("dark");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"always", "never"})
    void theScriptsOfTheApplicationRunFirstAndMayCreateTheTables(String initialize) {
        String database = TestDatabase.freshDatabase();
        runner().withConfiguration(AutoConfigurations.of(DataSourceInitializationAutoConfiguration.class))
                .withPropertyValues(
                        "spring.datasource.url=" + TestDatabase.url(database),
                        "spring.sql.init.mode=always",
                        "spring.sql.init.separator=^^^ END OF SCRIPT ^^^",
                        "spring.sql.init.schema-locations=classpath:dev/ttlstore/postgresql/schema.sql,classpath:dev/ttlstore/postgresql/functions.sql",
                        "store.postgresql.schema=ttl_store",
                        "store.postgresql.initialize-schema=" + initialize)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertWorks(store(context));
                });
    }

    @Test
    void tablesThatNobodyCreatesFailTheStart() {
        runner().withPropertyValues("store.postgresql.initialize-schema=never").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(StoreSchemaException.class)
                .hasMessageContaining(schema));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStoreThatDoesNotJoinTransactionsDoesNotEndThem(boolean aware) {
        DataSource plain = TestDatabase.dataSource();
        DataSource source = aware ? new TransactionAwareDataSourceProxy(plain) : plain;
        String table = TestDatabase.freshName();
        TestDatabase.execute(
                "CREATE TABLE " + table + " (id int)", "GRANT ALL ON " + table + " TO " + TestDatabase.USER);
        runner().withBean(DataSource.class, () -> source)
                .withPropertyValues("store.postgresql.join-transactions=false")
                .run(context -> {
                    JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                            .executeWithoutResult(status -> {
                                jdbc.update("INSERT INTO " + table + " VALUES (1)");
                                store(context).group("config").put("theme", "dark");
                                status.setRollbackOnly();
                            });
                    assertThat(jdbc.queryForObject("SELECT count(*) FROM " + table, Long.class))
                            .isZero();
                    assertThat(store(context).group("config").get("theme")).contains("dark");
                });
    }

    @Test
    void beansMayBeLazy() {
        runner().withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertWorks(store(context)));
    }

    @Test
    void aDeclaredScopeIsABeanWithItsQuota() {
        runner().withPropertyValues("store.scopes.acme.quota.max-keys=1").run(context -> {
            TextGroup invites = context.getBean(Scope.class).group("invites");
            invites.put("one", "value");
            assertThatExceptionOfType(QuotaExceededException.class).isThrownBy(() -> invites.put("two", "value"));
        });
    }
}
