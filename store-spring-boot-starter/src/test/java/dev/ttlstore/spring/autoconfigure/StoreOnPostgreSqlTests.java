package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.ttlstore.Entry;
import dev.ttlstore.Group;
import dev.ttlstore.Scope;
import dev.ttlstore.SharedStats;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreSchemaException;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.TestDatabase;
import dev.ttlstore.spring.encryption.StoreKeyset;
import dev.ttlstore.spring.encryption.StoreKeysetException;
import dev.ttlstore.spring.endpoint.StoreEndpoint;
import dev.ttlstore.spring.expiry.OnExpiry;
import dev.ttlstore.spring.health.StoreHealthIndicator;
import dev.ttlstore.spring.metrics.StoreMetrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** A store in the database of the application. */
@Tag("postgresql")
@ExtendWith(OutputCaptureExtension.class)
class StoreOnPostgreSqlTests {

    private final String schema = TestDatabase.freshName();

    private ApplicationContextRunner runner() {
        return StarterRunner.onPostgreSql(schema);
    }

    private static Store store(ApplicationContext context) {
        return context.getBean(Store.class);
    }

    private static void assertWorks(Store store) {
        store.group("config").put("theme", "dark");
        assertThat(store.group("config").get("theme")).contains("dark");
        assertThat(store.stats().engine()).startsWith("PostgreSQL");
    }

    @Test
    void instancesShareTheirEntriesOnBootsDataSource() {
        runner().run(one -> runner().run(other -> {
            assertThat(one).hasNotFailed().hasSingleBean(Store.class).hasSingleBean(DataSource.class);
            store(one).group("config").put("theme", "dark");
            assertThat(store(other).group("config").get("theme")).contains("dark");
            assertThat(store(other).group("config").take("theme")).contains("dark");
            assertThat(store(one).group("config").take("theme")).isEmpty();
        }));
    }

    @Test
    void theLogSaysWhereTheStoreIsWithoutTheAddressOfTheServer(CapturedOutput output) {
        runner().run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("The store is in PostgreSQL, in the schema '" + schema + "' of the DataSource 'dataSource'")
                .contains("'store.postgresql.schema'")
                .doesNotContain("jdbc:postgresql");
    }

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
    void theDatabaseOfConnectionDetailsIsUsedAsServiceConnectionsProvideThem() {
        runner().withPropertyValues("spring.datasource.url=jdbc:postgresql://localhost:1/nowhere")
                .withBean(JdbcConnectionDetails.class, TestDatabase::connectionDetails)
                .run(context -> assertWorks(store(context)));
    }

    @Test
    void aMarkedDataSourceIsUsedBesideBootsOwn() {
        runner().withPropertyValues("spring.datasource.url=jdbc:h2:mem:other", "spring.datasource.username=sa")
                .withUserConfiguration(Marked.class)
                .run(context -> {
                    assertWorks(store(context));
                    assertThat(context.getBean(JdbcTemplate.class).queryForObject("SELECT H2VERSION()", String.class))
                            .isNotBlank();
                });
    }

    @Test
    void aMarkedDataSourceIsUsedBesideAPrimaryOne() {
        runner().withUserConfiguration(Marked.class, PrimaryOfAnotherKind.class)
                .run(context -> assertWorks(store(context)));
    }

    @Test
    void thePrimaryOneOfSeveralIsUsed(CapturedOutput output) {
        runner().withUserConfiguration(PrimaryAndOther.class).run(context -> assertWorks(store(context)));
        assertThat(output).contains("of the DataSource 'first'");
    }

    @Test
    void severalWithoutAPrimaryOneAreRefusedByTheirNames() {
        runner().withUserConfiguration(Several.class).run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("[first, second]")
                .hasMessageContaining("@StoreDataSource"));
    }

    @Test
    void aStoreOfTheApplicationsOwnWinsAndNeedsNoDatabase() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(StoreAutoConfiguration.class))
                .withPropertyValues("store.engine=postgresql")
                .withBean("mine", Store.class, Store::inMemory)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Store.class)
                        .hasBean("mine"));
    }

    @Test
    void theStoreClosesBeforeItsDataSource() {
        List<String> told = new CopyOnWriteArrayList<>();
        runner().withBean(DataSource.class, () -> new Closing(told)).run(context -> {
            Store store = store(context);
            assertWorks(store);
            context.getBean(Closing.class).store = store;
        });
        assertThat(told).containsExactly("the store was closed");
    }

    @Test
    void theStoreClosesWithADataSourceThatIsDestroyedByItself() {
        runner().run(context -> {
            Store store = store(context);
            ((DefaultListableBeanFactory) context.getBeanFactory()).destroySingleton("dataSource");
            assertThatExceptionOfType(StoreClosedException.class).isThrownBy(store::count);
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

    private static Health health(ApplicationContext context) {
        return Objects.requireNonNull(context.getBean("storeHealthContributor", StoreHealthIndicator.class)
                .health(true));
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
                        "spring.sql.init.schema-locations=classpath:dev/ttlstore/postgresql/schema.sql",
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

    @Test
    void healthAndEndpointShowNeitherTheAddressOfTheServerNorAFile() {
        runner().withPropertyValues("management.endpoints.web.exposure.include=store")
                .run(context -> {
                    assertWorks(store(context));
                    Health health = health(context);
                    assertThat(health.getStatus()).isEqualTo(Status.UP);
                    assertThat(health.getDetails())
                            .containsEntry("entries", 1L)
                            .containsKeys("engine", "expired", "lastPurge")
                            .doesNotContainKeys("path", "walSize");
                    StoreEndpoint.StoreDescriptor shown =
                            context.getBean(StoreEndpoint.class).store();
                    assertThat(shown.path()).isNull();
                    assertThat(shown.groups()).containsExactly("config");
                    assertThat(health + " " + shown).doesNotContain("jdbc:", "localhost", TestDatabase.USER);
                });
    }

    @Test
    void healthMetricsAndEndpointShowTheOtherInstances() {
        ApplicationContextRunner instance =
                runner().withPropertyValues("management.endpoints.web.exposure.include=store");
        instance.run(one -> instance.run(other -> {
            await().until(() -> Objects.equals(health(one).getDetails().get("otherNodes"), 1));
            assertThat(health(one).getDetails())
                    .containsKeys("node", "notified", "lag", "oldestSnapshot")
                    .doesNotContainEntry("node", health(other).getDetails().get("node"));
            SharedStats shown = Objects.requireNonNull(
                    one.getBean(StoreEndpoint.class).store().shared());
            assertThat(shown.node())
                    .hasToString((String) health(one).getDetails().get("node"));
            MeterRegistry registry = new SimpleMeterRegistry();
            new StoreMetrics(store(one), Tags.empty(), List.of()).bindTo(registry);
            assertThat(registry.get("store.entries").gauge().value())
                    .isZero(); // the first reading finds out where it is
            assertThat(registry.get("store.nodes.other").gauge().value()).isEqualTo(1);
            assertThat(registry.get("store.log.lag").timeGauge().value(TimeUnit.SECONDS))
                    .isBetween(0.0, 60.0);
            assertThat(registry.get("store.snapshot.oldest").timeGauge().value())
                    .isNotNegative();
            assertThat(registry.get("store.updates.hot").gauge()).isNotNull();
        }));
    }

    @Test
    void theStoreIsDownWithoutItsAddressIfTheServerIsAway() {
        runner().withUserConfiguration(Severed.class).run(context -> {
            context.getBean(Cut.class).cut = true;
            Health health = health(context);
            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(health.toString()).doesNotContain("jdbc:", "localhost", "secret");
            context.getBean(Cut.class).cut = false;
        });
    }

    @Test
    void aHealthCheckWaitsOnceForAPoolWithoutConnectionsAndIsSaidInOneLine(CapturedOutput output) {
        runner().withUserConfiguration(Severed.class).run(context -> {
            Cut pool = context.getBean(Cut.class);
            pool.patience = Duration.ofMillis(20);
            pool.cut = true;
            int before = output.getAll().length();
            assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
            assertThat(pool.refusals).hasValue(1);
            assertThat(health(context).getDetails()).containsOnlyKeys("error");
            assertThat(pool.refusals).hasValue(2);
            pool.cut = false;
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            assertThat(output.getAll().substring(before))
                    .containsOnlyOnce("The store fails its health check: ")
                    .containsOnlyOnce("The store passes its health check again")
                    .doesNotContain("ERROR", "\tat ");
        });
    }

    @Test
    void anExpiryIsHandledByOneInstance() {
        Queue<String> handled = new ConcurrentLinkedQueue<>();
        ApplicationContextRunner instance = runner().withBean(Reminders.class, () -> new Reminders(handled))
                .withPropertyValues("store.groups.invites.ttl=1d");
        instance.run(one -> instance.run(other -> {
            for (int i = 0; i < 20; i++) {
                store(one).group("invites").put("key" + i, "value" + i, Duration.ofMillis(1));
            }
            await().until(() -> handled.size() >= 20);
            assertThat(handled).doesNotHaveDuplicates().hasSize(20);
            assertThat(other.getBean("ttlStore", Store.class).group("invites").count())
                    .isZero();
        }));
    }

    /** As during a rolling update: the newer one has a property more, and handles what the older one knows nothing of. */
    @Test
    void twoVersionsOfAnApplicationRunSideBySide() {
        Queue<String> handled = new ConcurrentLinkedQueue<>();
        ApplicationContextRunner newer = runner().withBean(Reminders.class, () -> new Reminders(handled));
        runner().run(old -> newer.run(young -> {
            Group<Invite> before = store(old).group("invites", Invite.class);
            Group<InviteWithNote> since = store(young).group("invites", InviteWithNote.class);
            before.put("ann", new Invite("ann@example.org"));
            assertThat(since.get("ann")).contains(new InviteWithNote("ann@example.org", null));
            since.put("bob", new InviteWithNote("bob@example.org", "welcome"));
            assertThat(before.get("bob")).contains(new Invite("bob@example.org"));
            store(old).group("invites").put("old", "of the older", Duration.ofMillis(1));
            store(young).group("invites").put("young", "of the newer", Duration.ofMillis(1));
            store(old).purgeExpired();
            await().untilAsserted(() -> assertThat(handled).containsExactlyInAnyOrder("of the older", "of the newer"));
        }));
    }

    record Invite(String email) {}

    record InviteWithNote(String email, @Nullable String note) {}

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
    void noKeysetIsCreatedBecauseOtherInstancesNeedTheSameOne(@TempDir Path folder) {
        Path keyset = folder.resolve("keyset.json");
        ApplicationContextRunner encrypted = runner().withPropertyValues(
                        "store.encryption.groups=secrets",
                        "store.encryption.keyset=" + keyset,
                        "store.encryption.create-keyset=true");
        encrypted.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(StoreKeysetException.class)
                .hasMessageContaining("all instances need the same one"));
        assertThat(StoreKeyset.create(keyset)).isTrue();
        encrypted.run(one -> encrypted.run(other -> {
            store(one).group("secrets").put("key", "value");
            assertThat(store(other).group("secrets").get("key")).contains("value");
        }));
        runner().run(context -> assertThat(
                        store(context).group("secrets", byte[].class).get("key"))
                .hasValueSatisfying(stored -> assertThat(stored).hasSizeGreaterThan("value".length())));
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

    /** Boot's lazy connections are proxies. */
    @Test
    void connectionsMayBeFetchedLazily() {
        runner().withPropertyValues("spring.datasource.connection-fetch=lazy")
                .run(context -> assertWorks(store(context)));
    }

    static final class Reminders {

        private final Queue<String> handled;

        Reminders(Queue<String> handled) {
            this.handled = handled;
        }

        @OnExpiry(subscriber = "reminder", group = "invites")
        void remind(String value) {
            handled.add(value);
        }
    }

    /** Tells whether the store was closed when it is closed itself. */
    static final class Closing extends DelegatingDataSource implements AutoCloseable {

        private final List<String> told;
        private volatile @Nullable Store store;

        Closing(List<String> told) {
            super(TestDatabase.dataSource());
            this.told = told;
        }

        @Override
        public void close() {
            try {
                told.add("the store was open with "
                        + Objects.requireNonNull(store).count());
            } catch (StoreClosedException e) {
                told.add("the store was closed");
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Marked {

        private final String url = TestDatabase.url();

        @Bean(defaultCandidate = false)
        @StoreDataSource
        DataSource sessions() {
            return DataSourceBuilder.create().url(url).username("application").build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryOfAnotherKind {

        @Bean
        @Primary
        DataSource forTheRest() {
            return new JdbcDataSource();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryAndOther {

        @Bean
        @Primary
        DataSource first() {
            return TestDatabase.dataSource();
        }

        @Bean
        DataSource second() {
            return new JdbcDataSource();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Several {

        @Bean
        DataSource first() {
            return TestDatabase.dataSource();
        }

        @Bean
        DataSource second() {
            return TestDatabase.dataSource();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Severed {

        @Bean
        Cut cut() {
            return new Cut();
        }
    }

    /** Hands out no more connections on demand, and then says what nobody should read in a health report. */
    static final class Cut extends DelegatingDataSource {

        private final Thread caller = Thread.currentThread();
        private final AtomicInteger refusals = new AtomicInteger();
        private volatile Duration patience = Duration.ZERO;
        private volatile boolean cut;

        Cut() {
            super(TestDatabase.dataSource());
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (cut) {
                if (Thread.currentThread() == caller) { // the store's threads ask, too
                    refusals.incrementAndGet();
                }
                LockSupport.parkNanos(patience.toNanos());
                throw new SQLException("jdbc:postgresql://localhost?password=secret", "08001");
            }
            return super.getConnection();
        }
    }
}
