package dev.ttlstore.spring.transaction;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.hibernate.HibernateTransactionManager;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.TransactionConflictException;
import dev.ttlstore.transaction.ApplicationTransaction;
import dev.ttlstore.transaction.TransactionParticipant;

import jakarta.persistence.EntityManagerFactory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Whatever the store throws when it writes before the commit, every transaction manager rolls back what the application has written. A
 * pool hands out connections that commit by themselves, as most do.
 */
class FlushFailuresTests {

    private static final HikariDataSource SOURCE = source();
    private static final LocalContainerEntityManagerFactoryBean JPA = jpa();

    private final JdbcTemplate jdbc = new JdbcTemplate(SOURCE);

    private static HikariDataSource source() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:flush;DB_CLOSE_DELAY=-1");
        return new HikariDataSource(config);
    }

    private static LocalContainerEntityManagerFactoryBean jpa() {
        LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
        factory.setDataSource(SOURCE);
        factory.setManagedTypes(PersistenceManagedTypes.of());
        factory.setPersistenceUnitName("flush");
        factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        factory.afterPropertiesSet();
        return factory;
    }

    @BeforeAll
    static void createTable() {
        new JdbcTemplate(SOURCE).execute("CREATE TABLE orders (id integer PRIMARY KEY)");
    }

    @BeforeEach
    void empty() {
        jdbc.execute("TRUNCATE TABLE orders");
    }

    @AfterAll
    static void close() {
        JPA.destroy();
        SOURCE.close();
    }

    static Stream<Arguments> failures() {
        return failures(managers());
    }

    /** Only managers for JDBC leave the connection in a transaction after the commit. */
    static Stream<Arguments> failuresAfterTheCommit() {
        return failures(jdbcManagers());
    }

    private static Stream<Arguments> failures(Stream<PlatformTransactionManager> managers) {
        List<Supplier<Throwable>> failures = List.of(
                () -> new StoreException("fails"),
                () -> new TransactionConflictException("fails", new IllegalStateException()),
                () -> new IllegalStateException("fails"),
                () -> new TransactionTimedOutException("fails"),
                () -> new CannotCreateTransactionException("fails"),
                () -> new UnexpectedRollbackException("fails"),
                () -> new IOException("fails"),
                () -> new OutOfMemoryError("fails"),
                () -> new AssertionError("fails"));
        return managers.flatMap(manager -> failures.stream().map(failure -> Arguments.of(manager, failure.get())));
    }

    private static Stream<PlatformTransactionManager> managers() {
        EntityManagerFactory entities = requireNonNull(JPA.getObject());
        HibernateTransactionManager hibernate = new HibernateTransactionManager(entities.unwrap(SessionFactory.class));
        hibernate.setDataSource(SOURCE);
        return Stream.concat(jdbcManagers(), Stream.of(new JpaTransactionManager(entities), hibernate));
    }

    static Stream<PlatformTransactionManager> jdbcManagers() {
        return Stream.of(new DataSourceTransactionManager(SOURCE), new JdbcTransactionManager(SOURCE));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void whateverTheStoreThrowsBeforeTheCommitRollsTheTransactionBack(
            PlatformTransactionManager manager, Throwable failure) {
        Participant store = new Participant(failure);
        Throwable thrown = catchThrowable(() -> new TransactionTemplate(manager).executeWithoutResult(status -> {
            jdbc.update("INSERT INTO orders VALUES (1)");
            join(SOURCE, store);
        }));
        assertFailure(thrown, failure);
        assertRolledBack(store);
    }

    /** Spring logs what is thrown there, and goes on. */
    @ParameterizedTest
    @MethodSource("failures")
    void whateverTheStoreThrowsBeforeTheCompletionRollsTheTransactionBack(
            PlatformTransactionManager manager, Throwable failure) {
        SpringTransactions transactions = new SpringTransactions(SOURCE);
        ((ConfigurableTransactionManager) manager).addListener(transactions);
        Participant store = new Participant(failure);
        Throwable thrown = catchThrowable(() -> new TransactionTemplate(manager).executeWithoutResult(status -> {
            jdbc.update("INSERT INTO orders VALUES (1)");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCompletion() {
                    requireNonNull(transactions.current()).join(store);
                }
            });
        }));
        assertFailure(thrown, failure);
        assertRolledBack(store);
    }

    /** Without the store's listener, the store does not know of the transaction before. */
    @ParameterizedTest
    @MethodSource("failuresAfterTheCommit")
    void whateverTheStoreThrowsAfterTheCommitRollsBackWhatWasWrittenSince(
            PlatformTransactionManager manager, Throwable failure) {
        Participant store = new Participant(failure);
        Throwable thrown = catchThrowable(() -> new TransactionTemplate(manager).executeWithoutResult(status -> {
            jdbc.update("INSERT INTO orders VALUES (1)");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    jdbc.update("INSERT INTO orders VALUES (2)");
                    join(SOURCE, store);
                }
            });
        }));
        assertFailure(thrown, failure);
        assertRolledBack(store, 1);
    }

    /** Such as the passed timeout of a statement. Spring takes it for a failed commit, and the store was not asked to write. */
    @ParameterizedTest
    @MethodSource("jdbcManagers")
    void whatAnotherSynchronizationThrowsBeforeTheStoreWritesRollsTheTransactionBack(
            PlatformTransactionManager manager) {
        SpringTransactions transactions = new SpringTransactions(SOURCE);
        ((ConfigurableTransactionManager) manager).addListener(transactions);
        Participant store = new Participant(new AssertionError("is not to write"));
        Throwable failure = new TransactionTimedOutException("fails");
        Throwable thrown = catchThrowable(() -> new TransactionTemplate(manager).executeWithoutResult(status -> {
            jdbc.update("INSERT INTO orders VALUES (1)");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    Participant.throwAnything(failure);
                }
            });
            requireNonNull(transactions.current()).join(store);
        }));
        assertThat(thrown).isSameAs(failure);
        assertRolledBack(store);
    }

    /** Asserts that the failure reaches the caller, perhaps as the cause. */
    private static void assertFailure(Throwable thrown, Throwable failure) {
        assertThat(thrown == failure || thrown.getCause() == failure)
                .as("%s", thrown)
                .isTrue();
    }

    /** Asserts that only the rows that were committed before are there. */
    private void assertRolledBack(Participant store, Integer... committed) {
        assertThat(store.committed).isFalse();
        assertThat(jdbc.queryForList("SELECT id FROM orders", Integer.class)).containsExactly(committed);
        assertThat(SOURCE.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    private static void join(DataSource source, TransactionParticipant store) {
        ApplicationTransaction transaction = requireNonNull(new SpringTransactions(source).current());
        transaction.join(store);
    }

    private static final class Participant implements TransactionParticipant {
        private final Throwable failure;
        private boolean committed = true;

        private Participant(Throwable failure) {
            this.failure = failure;
        }

        @Override
        public void beforeCommit() {
            throwAnything(failure);
        }

        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
        private static <T extends Throwable> void throwAnything(Throwable failure) throws T {
            throw (T) failure;
        }

        @Override
        public void savepoint(Object savepoint) {}

        @Override
        public void rolledBackTo(Object savepoint) {}

        @Override
        public void ended(boolean wasCommitted) {
            committed = wasCommitted;
        }
    }
}
