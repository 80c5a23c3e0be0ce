package dev.ttlstore.spring.transaction;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.TransactionConflictException;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What the store does in Spring's transactions on its {@code DataSource}, and how it behaves at each of their turns. */
@Tag("postgresql")
class SpringTransactionsTests {

    private final String schema = TestDatabase.freshName();

    /** Runs a test in an application that has a table and a service with transactions, beside another instance. */
    private void run(BiConsumer<Application, TextGroup> test, String... properties) {
        ApplicationContextRunner runner = StarterRunner.onPostgreSql(schema)
                .withUserConfiguration(Beans.class)
                .withPropertyValues(properties);
        runner.run(one -> {
            assertThat(one).hasNotFailed();
            StarterRunner.onPostgreSql(schema).run(other -> {
                Application application = new Application(one, schema);
                application.transactions().executeWithoutResult(status -> application
                        .jdbc()
                        .execute("CREATE TABLE IF NOT EXISTS \"" + schema + "\".orders (id integer PRIMARY KEY)"));
                test.accept(application, other.getBean(Store.class).group("group"));
            });
        });
    }

    /** The application under test. */
    private record Application(ApplicationContext context, String schema) {

        JdbcTemplate jdbc() {
            return context.getBean(JdbcTemplate.class);
        }

        Store store() {
            return context.getBean(Store.class);
        }

        TextGroup group() {
            return store().group("group");
        }

        Service service() {
            return context.getBean(Service.class);
        }

        Listeners listeners() {
            return context.getBean(Listeners.class);
        }

        TransactionTemplate transactions() {
            return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        }

        void order(int id) {
            jdbc().update("INSERT INTO \"" + schema + "\".orders VALUES (?)", id);
        }

        @Nullable
        Integer orders() {
            return jdbc().queryForObject("SELECT count(*) FROM \"" + schema + "\".orders", Integer.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Beans {

        @Bean
        Service service() {
            return new Service();
        }

        @Bean
        Listeners listeners(Store store) {
            return new Listeners(store);
        }
    }

    /** Methods in transactions. */
    static class Service {

        @Transactional
        void run(Runnable work) {
            work.run();
        }

        @Transactional(readOnly = true)
        void read(Runnable work) {
            work.run();
        }

        @Transactional(isolation = Isolation.REPEATABLE_READ)
        void repeatable(Runnable work) {
            work.run();
        }

        @Transactional(isolation = Isolation.SERIALIZABLE)
        void serializable(Runnable work) {
            work.run();
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        void separately(Runnable work) {
            work.run();
        }

        @Transactional(propagation = Propagation.NESTED)
        void nested(Runnable work) {
            work.run();
        }

        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        void without(Runnable work) {
            work.run();
        }

        @Transactional(propagation = Propagation.SUPPORTS)
        void supporting(Runnable work) {
            work.run();
        }

        @Transactional(timeout = 1)
        void shortly(Runnable work) {
            work.run();
        }
    }

    /** The first example of the README. */
    static class Invitations {
        private final JdbcTemplate jdbc;
        private final TextGroup invites;

        Invitations(JdbcTemplate jdbc, Store store) {
            this.jdbc = jdbc;
            this.invites = store.group("invites");
        }

        private static String code() {
            return "code";
        }

        @Transactional
        void invite(String email) {
            jdbc.update("INSERT INTO invited (email) VALUES (?)", email);
            invites.put(code(), email, Duration.ofDays(3));
        }
    }

    /** The second example, which is the same for a store in a file. */
    static class LaterInvitations {
        private final JdbcTemplate jdbc;
        private final TextGroup invites;

        LaterInvitations(JdbcTemplate jdbc, Store store) {
            this.jdbc = jdbc;
            this.invites = store.group("invites");
        }

        private static String code() {
            return "later";
        }

        @Transactional
        void invite(String email) {
            jdbc.update("INSERT INTO invited (email) VALUES (?)", email);
            AfterCommit.run(() -> invites.put(code(), email, Duration.ofDays(3)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    @Import({Invitations.class, LaterInvitations.class})
    static class Examples {}

    @Test
    void theExamplesOfTheReadmeWork() {
        String invited = TestDatabase.freshName();
        TestDatabase.execute("CREATE SCHEMA " + invited + " AUTHORIZATION " + TestDatabase.USER);
        StarterRunner.onPostgreSql(schema)
                .withUserConfiguration(Examples.class)
                .withPropertyValues("spring.datasource.hikari.schema=" + invited)
                .run(context -> {
                    JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
                    jdbc.execute("CREATE TABLE invited (email text NOT NULL)");
                    context.getBean(Invitations.class).invite("ann@example.org");
                    context.getBean(LaterInvitations.class).invite("bob@example.org");
                    assertThat(jdbc.queryForList("SELECT email FROM invited", String.class))
                            .containsExactly("ann@example.org", "bob@example.org");
                    assertThat(context.getBean(Store.class).group("invites").keys())
                            .containsExactly("code", "later");
                });
    }

    /** An event of the application. */
    record Ordered(int id) {}

    /** Another one. */
    record Cancelled(boolean fails) {}

    /** Listeners that write to the store in each phase, and one for the store's own events. */
    static class Listeners {
        private final Store store;
        private final Queue<String> seen = new ConcurrentLinkedQueue<>();
        private final BlockingQueue<StoreEvent> events = new LinkedBlockingQueue<>();

        Listeners(Store store) {
            this.store = store;
        }

        BlockingQueue<StoreEvent> events() {
            return events;
        }

        Queue<String> seen() {
            return seen;
        }

        private void write(String key) {
            seen.add(key + store.group("group").keys().toList());
            store.group("group").put(key, "value");
        }

        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        void before(Ordered ordered) {
            write("before");
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
        void after(Ordered ordered) {
            write("after");
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
        void rolledBack(Ordered ordered) {
            write("rolled back");
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
        void completed(Ordered ordered) {
            write("completed");
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        void separately(Cancelled cancelled) {
            write("separate");
            if (cancelled.fails()) {
                throw new Refusal();
            }
        }

        @EventListener
        void changed(StoreEvent event) {
            events.add(event);
        }
    }

    /** What a test throws to roll back. */
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    @Test
    void writesAreCommittedWithTheTransactionAndThenPublished() {
        run((application, seen) -> {
            application.service().run(() -> {
                application.order(1);
                application.group().put("key", "value", Duration.ofMinutes(1));
                assertThat(application.group().get("key")).contains("value");
                assertThat(seen.get("key")).isEmpty();
                assertThat(application.listeners().events()).isEmpty();
            });
            assertThat(seen.get("key")).contains("value");
            assertThat(application.orders()).isEqualTo(1);
            assertThat(poll(application.listeners().events()).type()).isEqualTo("put");
        });
    }

    private static StoreEvent poll(BlockingQueue<StoreEvent> events) {
        try {
            StoreEvent event = events.poll(20, TimeUnit.SECONDS);
            assertThat(event).as("event").isNotNull();
            return event;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void writesAreRolledBackWithTheTransactionAndNeverPublished() {
        run((application, seen) -> {
            assertThatExceptionOfType(Refusal.class)
                    .isThrownBy(() -> application.service().run(() -> {
                        application.order(1);
                        application.group().put("key", "value");
                        throw new Refusal();
                    }));
            assertThat(application.group().get("key")).isEmpty();
            assertThat(application.orders()).isZero();
            application.group().put("later", "value");
            assertThat(poll(application.listeners().events()).toString()).doesNotContain("version=-");
            assertThat(application.listeners().events()).isEmpty();
        });
    }

    @Test
    void aTransactionThatIsMarkedForRollbackWritesNothing() {
        run((application, seen) -> {
            application.transactions().executeWithoutResult(status -> {
                application.group().put("key", "value");
                status.setRollbackOnly();
            });
            assertThat(seen.get("key")).isEmpty();
        });
    }

    @Test
    void aConflictRollsTheTransactionBack() {
        run((application, seen) -> {
            application.group().put("key", "before");
            assertThatExceptionOfType(TransactionConflictException.class)
                    .isThrownBy(() -> application.service().run(() -> {
                        application.order(1);
                        application
                                .group()
                                .put("copy", application.group().get("key").orElseThrow());
                        seen.put("key", "changed");
                    }))
                    .withMessageContaining("Run the whole transaction again");
            assertThat(application.orders()).isZero();
            assertThat(seen.keys()).containsExactly("key");
        });
    }

    @Test
    void aSeparateTransactionIsSeparate() {
        run((application, seen) -> {
            assertThatExceptionOfType(Refusal.class)
                    .isThrownBy(() -> application.service().run(() -> {
                        application.group().put("outer", "value");
                        application.service().separately(() -> {
                            assertThat(application.group().get("outer")).isEmpty();
                            application.group().put("inner", "value");
                        });
                        assertThat(application.group().keys()).containsExactly("inner", "outer");
                        throw new Refusal();
                    }));
            assertThat(seen.keys()).containsExactly("inner");
        });
    }

    @Test
    void outsideTransactionsWritesAreCommittedAtOnce() {
        run((application, seen) -> {
            application.service().run(() -> {
                application.group().put("inside", "value");
                application.service().without(() -> {
                    application.group().put("outside", "value");
                    assertThat(seen.get("outside")).contains("value");
                });
                assertThat(seen.get("inside")).isEmpty();
            });
            application.service().supporting(() -> {
                application.group().put("supporting", "value");
                assertThat(seen.get("supporting")).contains("value");
            });
            assertThat(seen.keys()).containsExactly("inside", "outside", "supporting");
        });
    }

    @Test
    void aNestedTransactionUndoesWhatTheStoreHasWrittenInIt() {
        run((application, seen) -> {
            application.service().run(() -> {
                application.group().put("kept", "value");
                assertThatExceptionOfType(Refusal.class)
                        .isThrownBy(() -> application.service().nested(() -> {
                            application.order(1);
                            application.group().put("undone", "value");
                            throw new Refusal();
                        }));
                assertThat(application.group().get("undone")).isEmpty();
                application.service().nested(() -> application.group().put("nested", "value"));
            });
            assertThat(seen.keys()).containsExactly("kept", "nested");
            assertThat(application.orders()).isZero();
        });
    }

    @Test
    void aNestedTransactionInWhichTheStoreIsFirstUsedUndoesIt() {
        run((application, seen) -> {
            application.service().run(() -> {
                assertThatExceptionOfType(Refusal.class)
                        .isThrownBy(() -> application.service().nested(() -> {
                            application.group().put("undone", "value");
                            throw new Refusal();
                        }));
                application.group().put("kept", "value");
            });
            assertThat(seen.keys()).containsExactly("kept");
        });
    }

    @Test
    void aTransactionThatOnlyReadsReadsAndRefusesWrites() {
        run((application, seen) -> {
            application.group().put("key", "value");
            application.service().read(() -> {
                assertThat(application.group().get("key")).contains("value");
                assertThat(application.group().count()).isEqualTo(1);
                assertThatIllegalStateException()
                        .isThrownBy(() -> application.group().put("key", "changed"))
                        .withMessageContaining("to read only");
            });
            assertThat(seen.get("key")).contains("value");
        });
    }

    @Test
    void higherIsolationIsRefusedWithTheRemedy() {
        run((application, seen) -> {
            for (BiConsumer<Service, Runnable> isolated :
                    List.<BiConsumer<Service, Runnable>>of(Service::repeatable, Service::serializable)) {
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> isolated.accept(
                                application.service(), () -> application.group().put("key", "value")))
                        .withMessageContaining("READ COMMITTED");
            }
            assertThat(seen.get("key")).isEmpty();
        });
    }

    @Test
    void theTimeoutOfTheTransactionCountsForTheStore() {
        run((application, seen) -> {
            assertThatExceptionOfType(TransactionTimedOutException.class)
                    .isThrownBy(() -> application.service().shortly(() -> {
                        application.jdbc().setQueryTimeout(5);
                        sleepUntilLate();
                        application.group().put("key", "value");
                    }));
            assertThat(seen.get("key")).isEmpty();
        });
    }

    /** The deadline of Spring's transaction is the system's time, which a test cannot move. */
    private static void sleepUntilLate() {
        try {
            TimeUnit.MILLISECONDS.sleep(1_100);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void listenersOfAllPhasesCanWrite() {
        run((application, seen) -> {
            application.service().run(() -> {
                application.group().put("key", "value");
                ((ApplicationEventPublisher) application.context()).publishEvent(new Ordered(1));
            });
            assertThat(seen.keys()).containsExactly("after", "before", "completed", "key");
            assertThat(application.listeners().seen())
                    .containsExactly("before[key]", "after[before, key]", "completed[after, before, key]");
            assertThatExceptionOfType(Refusal.class)
                    .isThrownBy(() -> application.service().run(() -> {
                        application.store().deleteGroup("group");
                        ((ApplicationEventPublisher) application.context()).publishEvent(new Ordered(2));
                        throw new Refusal();
                    }));
            assertThat(seen.keys()).containsExactly("after", "before", "completed", "key", "rolled back");
        });
    }

    @Test
    void aListenerAfterTheCommitCanBeginATransactionOfItsOwn() {
        run((application, seen) -> {
            for (boolean fails : new boolean[] {true, false}) {
                application.service().run(() -> {
                    ((ApplicationEventPublisher) application.context()).publishEvent(new Cancelled(fails));
                    application.group().put("key", "value");
                });
                assertThat(seen.get("key")).contains("value");
                assertThat(seen.contains("separate")).isEqualTo(!fails);
            }
        });
    }

    @Test
    void aListenerBeforeTheCommitInWhichTheStoreIsFirstUsedWrites() {
        run((application, seen) -> {
            application.service().run(() -> ((ApplicationEventPublisher) application.context())
                    .publishEvent(new Ordered(1)));
            assertThat(seen.keys()).containsExactly("after", "before", "completed");
        });
    }

    /** Where a synchronization may use the store. */
    enum Turn {
        BEFORE_COMMIT,
        BEFORE_COMPLETION,
        AFTER_COMMIT,
        AFTER_COMPLETION
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsLostThatASynchronizationWritesAtAnyTurn(Turn turn) {
        run((application, seen) -> {
            application
                    .service()
                    .run(() -> TransactionSynchronizationManager.registerSynchronization(
                            new Writing(turn, () -> application.group().put("key", "value"))));
            assertThat(seen.keys()).containsExactly("key");
            application.service().run(() -> {
                application.group().put("first", "value");
                TransactionSynchronizationManager.registerSynchronization(new Writing(
                        turn, () -> application.store().group("other").put("key", "value")));
            });
            assertThat(seen.keys()).containsExactly("first", "key");
            assertThat(application.store().group("other").get("key")).contains("value");
            assertThat(poll(application.listeners().events()).type()).isEqualTo("put");
        });
    }

    /** It would otherwise keep others waiting until all listeners have run. */
    @Test
    void aWriteAfterTheCommitIsCommittedAtOnce() {
        run((application, seen) -> application.service().run(() -> {
            application.order(1);
            TransactionSynchronizationManager.registerSynchronization(new Writing(Turn.AFTER_COMMIT, () -> {
                application.group().put("key", "value");
                assertThat(seen.get("key")).contains("value");
                seen.put("other", "value");
                assertThat(application.group().get("other")).contains("value");
            }));
        }));
    }

    /** It runs within the commit of the outer transaction, but its own are only beginning. */
    @Test
    void aListenerAfterTheCommitHoldsNoLockInATransactionOfItsOwn() {
        run((application, seen) -> {
            Service service = application.service();
            service.run(() -> TransactionSynchronizationManager.registerSynchronization(new Writing(
                    Turn.AFTER_COMMIT,
                    () -> service.separately(() -> {
                        application.group().put("listener", "value");
                        seen.put("other", "value");
                        service.separately(() -> application.group().put("within", "value"));
                        assertThat(seen.get("listener")).isEmpty();
                    }))));
            assertThat(seen.keys()).containsExactly("listener", "other", "within");
        });
    }

    @Test
    void aListenerAfterTheCommitDoesNotReadWhatTheNearCacheHadBefore() {
        run(
                (application, seen) -> {
                    Queue<String> read = new ConcurrentLinkedQueue<>();
                    application.group().put("key", "before");
                    assertThat(application.group().get("key")).contains("before");
                    application.service().run(() -> {
                        AfterCommit.run(
                                () -> read.add(application.group().get("key").orElseThrow()));
                        application.group().put("key", "after");
                    });
                    assertThat(read).containsExactly("after");
                },
                "store.near-cache.max-size=1MB");
    }

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

    private record Writing(Turn turn, Runnable work) implements TransactionSynchronization {

        private void at(Turn now) {
            if (now == turn) {
                work.run();
            }
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            at(Turn.BEFORE_COMMIT);
        }

        @Override
        public void beforeCompletion() {
            at(Turn.BEFORE_COMPLETION);
        }

        @Override
        public void afterCommit() {
            at(Turn.AFTER_COMMIT);
        }

        @Override
        public void afterCompletion(int status) {
            at(Turn.AFTER_COMPLETION);
        }
    }

    @Test
    void workAfterTheCommitRunsThenAndNotAfterARollback() {
        run((application, seen) -> {
            application.service().run(() -> {
                AfterCommit.run(() -> application.group().put("after", "value"));
                assertThat(application.group().get("after")).isEmpty();
            });
            assertThat(seen.get("after")).contains("value");
            assertThatExceptionOfType(Refusal.class)
                    .isThrownBy(() -> application.service().run(() -> {
                        AfterCommit.run(() -> application.group().put("rolled back", "value"));
                        throw new Refusal();
                    }));
            assertThat(seen.get("rolled back")).isEmpty();
            application
                    .service()
                    .run(() -> AfterCommit.run(
                            () -> AfterCommit.run(() -> application.group().put("within", "value"))));
            assertThat(seen.get("within")).contains("value");
            AfterCommit.run(() -> application.group().put("at once", "value"));
            assertThat(seen.get("at once")).contains("value");
        });
    }

    @Test
    void withTheSettingOffEachWriteIsCommittedByItself() {
        run(
                (application, seen) -> {
                    assertThatExceptionOfType(Refusal.class)
                            .isThrownBy(() -> application.service().run(() -> {
                                application.group().put("key", "value");
                                throw new Refusal();
                            }));
                    assertThat(seen.get("key")).contains("value");
                },
                "store.postgresql.join-transactions=false");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTransactionOnAnotherDatabaseIsNotJoined(boolean autoCommit) {
        run(
                (application, seen) -> {
                    TransactionTemplate elsewhere =
                            new TransactionTemplate(new JdbcTransactionManager(TestDatabase.dataSource()));
                    elsewhere.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRED);
                    elsewhere.executeWithoutResult((TransactionStatus status) -> {
                        application.orders(); // binds a connection of the store's data source
                        application.group().put("key", "value");
                        assertThat(seen.get("key")).contains("value");
                        status.setRollbackOnly();
                    });
                    assertThat(seen.get("key")).contains("value");
                },
                "spring.datasource.hikari.auto-commit=" + autoCommit);
    }
}
