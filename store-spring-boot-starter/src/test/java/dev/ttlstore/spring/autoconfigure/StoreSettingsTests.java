package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentCaptor;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.mock.env.MockEnvironment;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Durability;
import dev.ttlstore.GroupSettings;
import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.TextGroup;
import dev.ttlstore.UnreadableValues;
import dev.ttlstore.engine.EngineFactory;
import dev.ttlstore.exception.StoreLockedException;
import dev.ttlstore.exception.ValueTooLargeException;
import dev.ttlstore.expiry.ExpirySettings;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.spring.StoreRunner;
import dev.ttlstore.sqlite.Sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/** The properties that are settings of the builder. */
class StoreSettingsTests {

    private static final long MIB = 1024 * 1024;

    @TempDir
    private Path folder;

    static List<Arguments> settings() {
        return List.of(
                setting("store.durability=full", builder -> builder.durability(Durability.FULL)),
                setting("store.lock-timeout=1s", builder -> builder.lockTimeout(Duration.ofSeconds(1))),
                setting("store.close-timeout=1s", builder -> builder.closeTimeout(Duration.ofSeconds(1))),
                setting("store.max-value-size=64KB", builder -> builder.maxValueSize(65_536)),
                setting("store.retention=7d", builder -> builder.retention(Duration.ofDays(7))),
                expiry("concurrency=3", settings -> settings.withConcurrency(3)),
                expiry("max-attempts=2", settings -> settings.withMaxAttempts(2)),
                expiry("first-delay=2s", settings -> settings.withDelays(Duration.ofSeconds(2), Duration.ofMinutes(5))),
                expiry("max-delay=1h", settings -> settings.withDelays(Duration.ofSeconds(1), Duration.ofHours(1))),
                expiry("timeout=10s", settings -> settings.withTimeout(Duration.ofSeconds(10))),
                expiry("max-backlog=5", settings -> settings.withMaxBacklog(5)),
                setting("store.unreadable-values=absent", builder -> builder.unreadableValues(UnreadableValues.ABSENT)),
                setting(
                        "store.groups.invites.ttl=10d",
                        builder -> builder.group(
                                "invites", GroupSettings.defaults().withTtl(Duration.ofDays(10)))),
                setting(
                        "store.groups.sessions.max-age=1d",
                        builder -> builder.group(
                                "sessions", GroupSettings.defaults().withMaxAge(Duration.ofDays(1)))),
                setting(
                        "store.groups.audit.retention=365d",
                        builder ->
                                builder.group("audit", GroupSettings.defaults().withRetention(Duration.ofDays(365)))),
                setting(
                        "store.groups.other.metrics=true",
                        builder ->
                                builder.group("other", GroupSettings.defaults().withStatistics(true))),
                setting(
                        "store.groups.aged.age-index=true",
                        builder ->
                                builder.group("aged", GroupSettings.defaults().withAgeIndex(true))),
                setting(
                        "store.groups.shown.event-values=true",
                        builder ->
                                builder.group("shown", GroupSettings.defaults().withEventValues(true))),
                setting("store.events.history=7", builder -> builder.eventHistory(7)),
                setting("store.expiry.on-time=false", builder -> builder.expiryOnTime(false)),
                setting("store.near-cache.max-size=4MB", builder -> builder.cacheSize(4 * MIB)),
                setting("store.near-cache.max-size=0", builder -> builder.cacheSize(0)));
    }

    private static Arguments setting(String property, Consumer<StoreBuilder> call) {
        return arguments(property, call);
    }

    private static Arguments expiry(String property, UnaryOperator<ExpirySettings> change) {
        return setting("store.expiry." + property, builder -> builder.expiry(change.apply(ExpirySettings.defaults())));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void aPropertyReachesTheBuilder(String property, Consumer<StoreBuilder> call) {
        StoreRunner.at(folder).withPropertyValues(property).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(Store.class);
            StoreBuilder builder = mock(StoreBuilder.class);
            new BuilderSettings(builder).apply(context.getBean(StoreProperties.class));
            customize(builder, context);
            call.accept(verify(builder));
        });
    }

    static List<Arguments> engineSettings() {
        return List.of(
                arguments("store.sqlite.readers=5", engine(sqlite -> sqlite.readers(5))),
                arguments("store.sqlite.page-cache-size=2MB", engine(sqlite -> sqlite.pageCacheSize(2 * MIB))),
                arguments("store.sqlite.mmap-size=256MB", engine(sqlite -> sqlite.mmapSize(256 * MIB))),
                arguments("store.sqlite.wal-limit=1MB", engine(sqlite -> sqlite.walLimit(MIB))),
                arguments(
                        "store.sqlite.copy-before-migration=true", engine(sqlite -> sqlite.copyBeforeMigration(true))),
                arguments("store.sqlite.reclaim-after=2h", engine(sqlite -> sqlite.reclaimAfter(Duration.ofHours(2)))),
                arguments(
                        "store.sqlite.external-checkpoints=true", engine(sqlite -> sqlite.externalCheckpoints(true))));
    }

    private static UnaryOperator<Sqlite> engine(UnaryOperator<Sqlite> change) {
        return change;
    }

    @ParameterizedTest
    @MethodSource("engineSettings")
    void aPropertyReachesTheEngine(String property, UnaryOperator<Sqlite> change) {
        StoreRunner.at(folder).withPropertyValues(property).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(Store.class);
            Path file = folder.resolve("engine.db");
            assertThat(engine(context.getBean(StoreProperties.class), file))
                    .hasToString(change.apply(Sqlite.file(file)).toString());
        });
    }

    static List<Arguments> sharedEngineSettings() {
        return List.of(
                arguments("schema=app", shared(engine -> engine.schema("app"))),
                arguments("initialize-schema=never", shared(engine -> engine.initializeSchema(false))),
                arguments("notifications=false", shared(engine -> engine.notifications(false))),
                arguments("kept-changes=1h", shared(engine -> engine.keptChanges(Duration.ofHours(1)))),
                arguments("distributed=false", shared(engine -> engine.distributed(false))),
                arguments("commits-in-flight=2", shared(engine -> engine.commitsInFlight(2))));
    }

    private static UnaryOperator<PostgreSql> shared(UnaryOperator<PostgreSql> change) {
        return change;
    }

    @ParameterizedTest
    @MethodSource("sharedEngineSettings")
    void aPropertyReachesTheSharedEngine(String property, UnaryOperator<PostgreSql> change) {
        MockEnvironment environment = new MockEnvironment();
        int end = property.indexOf('=');
        environment.setProperty("store.postgresql." + property.substring(0, end), property.substring(end + 1));
        StoreProperties properties = Binder.get(environment).bindOrCreate("store", StoreProperties.class);
        DataSource source = new JdbcDataSource();
        PostgreSql changed = change.apply(PostgreSql.on(source));
        assertThat(PostgreSqlConfigurer.engine(properties.postgresql(), source, null))
                .hasToString(changed.toString());
        assertThat(changed.toString()).isNotEqualTo(PostgreSql.on(source).toString());
    }

    @Test
    void theDefaultsAreThoseOfTheSharedEngine() {
        DataSource source = new JdbcDataSource();
        assertThat(PostgreSqlConfigurer.engine(Defaults.ofProperties().postgresql(), source, null))
                .hasToString(PostgreSql.on(source).toString());
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 1", "4, 1", "5, 2", "6, 3", "7, 4", "10, 4", "100, 4"})
    void commitsLeaveConnectionsOfASmallPoolToOthers(int connections, int commits) {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setMaximumPoolSize(connections);
            assertThat(PostgreSqlConfigurer.engine(Defaults.ofProperties().postgresql(), pool, null))
                    .hasToString(PostgreSql.on(pool).commitsInFlight(commits).toString());
        }
    }

    @Test
    void thereIsNoNearCacheOnTheSharedEngineUnlessItsSizeIsSet() {
        MockEnvironment environment = new MockEnvironment().withProperty("store.engine", "postgresql");
        StoreBuilder builder = mock(StoreBuilder.class);
        new BuilderSettings(builder).apply(Binder.get(environment).bindOrCreate("store", StoreProperties.class));
        verify(builder).cacheSize(0);
        environment.setProperty("store.near-cache.max-size", "1MB");
        new BuilderSettings(builder).apply(Binder.get(environment).bindOrCreate("store", StoreProperties.class));
        verify(builder).cacheSize(MIB);
    }

    @Test
    void theDefaultsAreThoseOfTheEngine() {
        Path file = folder.resolve("engine.db");
        assertThat(engine(Defaults.ofProperties(), file))
                .hasToString(Sqlite.file(file).toString());
        assertThat(engine(Defaults.ofProperties(), null))
                .hasToString(Sqlite.inMemory().toString());
    }

    private static EngineFactory engine(StoreProperties properties, @Nullable Path file) {
        StoreBuilder builder = mock(StoreBuilder.class);
        new BuilderSettings(builder).applyEngine(properties.sqlite(), file);
        ArgumentCaptor<EngineFactory> engine = ArgumentCaptor.captor();
        verify(builder).engine(engine.capture());
        return engine.getValue();
    }

    @Test
    void theDefaultsAreThoseOfTheBuilder() {
        StoreBuilder builder = mock(StoreBuilder.class);
        new BuilderSettings(builder).apply(Defaults.ofProperties());
        verify(builder).durability(Durability.NORMAL);
        verify(builder).lockTimeout(Duration.ofSeconds(5));
        verify(builder).closeTimeout(Duration.ofSeconds(30));
        verify(builder).maxValueSize(MIB);
        verify(builder).retention(Duration.ZERO);
        // This depends on the machine.
        verify(builder, never()).cacheSize(anyLong());
    }

    @Test
    void theDefaultsOfFeaturesAreThoseOfTheBuilder() {
        StoreRunner.at(folder).run(context -> {
            StoreBuilder builder = mock(StoreBuilder.class);
            customize(builder, context);
            verify(builder).expiry(ExpirySettings.defaults());
            verify(builder).expiryOnTime(true);
            verify(builder).eventHistory(1000);
        });
    }

    /** The features apply their own properties. */
    private static void customize(StoreBuilder builder, ApplicationContext context) {
        context.getBeanProvider(StoreBuilderCustomizer.class)
                .orderedStream()
                .forEach(customizer -> customizer.customize(builder));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "store.durability=some",
                "store.lock-timeout=-1s",
                "store.close-timeout=-1s",
                "store.max-value-size=0",
                "store.max-value-size=-1B",
                "store.max-value-size=2GB",
                "store.max-value-size=9000GB",
                "store.retention=-1s",
                "store.retention=soon",
                "store.expiry.concurrency=0",
                "store.expiry.concurrency=1001",
                "store.expiry.concurrency=many",
                "store.expiry.max-attempts=0",
                "store.expiry.first-delay=0",
                "store.expiry.first-delay=-1s",
                "store.expiry.max-delay=999ms",
                "store.expiry.timeout=0",
                "store.expiry.max-backlog=0",
                "store.expiry.on-time=maybe",
                "store.groups.invites.ttl=0s",
                "store.groups.invites.ttl=soon",
                "store.groups.invites.max-age=0s",
                "store.groups.invites.max-age=-1s",
                "store.groups.invites.max-age=soon",
                "store.groups.invites.retention=-1s",
                "store.groups.invites.retention=long",
                "store.groups.invites.metrics=maybe",
                "store.groups.invites.age-index=maybe",
                "store.groups.invites.event-values=maybe",
                "store.events.history=-1",
                "store.scopes.acme.quota.max-keys=-1",
                "store.scopes.acme.quota.max-groups=-1",
                "store.scopes.acme.quota.max-bytes=-1B",
                "store.events.enabled=maybe",
                "store.encryption.groups=secret*",
                "store.encryption.groups=*:",
                "store.encryption.create-keyset=maybe",
                "store.encryption.read-plain=maybe",
                "store.in-memory=maybe",
                "store.near-cache.max-size=-1B",
                "store.near-cache.max-size=9000GB",
                "store.sqlite.readers=0",
                "store.sqlite.readers=65",
                "store.sqlite.readers=many",
                "store.sqlite.page-cache-size=63KB",
                "store.sqlite.page-cache-size=2GB",
                "store.sqlite.mmap-size=-1B",
                "store.sqlite.mmap-size=2GB",
                "store.sqlite.wal-limit=1023KB",
                "store.sqlite.reclaim-after=-1s"
            })
    void aValueThatIsNoneIsRefusedByTheNameOfItsProperty(String property) {
        String name = property.substring(0, property.indexOf('='));
        ApplicationContextRunner runner = StoreRunner.at(folder)
                .withPropertyValues(
                        "store.encryption.keyset=" + folder.resolve("keyset.json"),
                        "store.encryption.create-keyset=true",
                        property);
        runner.run(context -> assertThat(context).getFailure().satisfies(failure -> assertThat(messages(failure))
                .anyMatch(message -> message.contains(name))));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aSizeIsToldAsItWasGiven() {
        StoreRunner.at(folder)
                .withPropertyValues("store.max-value-size=2GB")
                .run(context -> assertThat(context).getFailure().satisfies(failure -> assertThat(messages(failure))
                        .anyMatch(message -> message.contains("2147483648"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"store.expiry.first-delay=6m", "store.expiry.max-delay=500ms"})
    void delaysThatDoNotGoTogetherAreToldByTheNamesOfBoth(String property) {
        StoreRunner.at(folder)
                .withPropertyValues(property)
                .run(context -> assertThat(context).getFailure().satisfies(failure -> assertThat(messages(failure))
                        .anyMatch(message -> message.contains("store.expiry.first-delay")
                                && message.contains("store.expiry.max-delay"))));
    }

    @Test
    void aValueThatIsTooLargeIsRefused() {
        StoreRunner.at(folder).withPropertyValues("store.max-value-size=3B").run(context -> {
            TextGroup group = context.getBean(Store.class).group("group");
            group.put("key", "123");
            assertThatExceptionOfType(ValueTooLargeException.class).isThrownBy(() -> group.put("key", "1234"));
        });
    }

    @Test
    void expiredEntriesAreKeptForTheTimeOfRetention() {
        StoreRunner.at(folder)
                .withPropertyValues("store.retention=1h", "store.purge.enabled=false", "store.expiry.on-time=false")
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    store.group("group").put("key", "value");
                    assertThat(store.group("group").expireAllNow()).isOne();
                    assertThat(store.purgeExpired()).isOne();
                    assertThat(store.stats().retained()).isOne();
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"store.near-cache.max-size=32MB", "store.near-cache.max-size=1MB", "store.near-cache.max-size=0B"
            })
    void theCacheAnswersUnlessItIsOff(String property) {
        StoreRunner.at(folder).withPropertyValues(property).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("group").put("key", "value");
            assertThat(store.group("group").get("key")).contains("value");
            assertThat(store.group("group").get("key")).contains("value");
            assertThat(store.activity().cache().hits()).isEqualTo(property.endsWith("=0B") ? 0 : 1);
        });
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void theStartDoesNotWaitForAFileThatAnotherHoldsWhenToldSo() {
        try (Store holder = Store.open(folder.resolve("store.db"))) {
            StoreRunner.at(folder)
                    .withPropertyValues("store.lock-timeout=0")
                    .run(context ->
                            assertThat(context).getFailure().rootCause().isInstanceOf(StoreLockedException.class));
            assertThat(holder.count()).isZero();
        }
    }

    private static List<String> messages(Throwable failure) {
        List<String> messages = new ArrayList<>();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            messages.add(String.valueOf(cause.getMessage()));
        }
        return messages;
    }
}
