package dev.ttlstore.spring.transaction;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.TestDatabase;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PostPersist;
import jakarta.persistence.PostUpdate;
import jakarta.persistence.Table;
import jakarta.persistence.Transient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The store in transactions of JPA, with Hibernate, which flushes after the store has written. */
@Tag("postgresql")
class JpaTransactionsTests {

    private static final String SCHEMA = TestDatabase.freshName();

    // Hibernate takes most of the time to start. Each test has entities of its own.
    private static final ConfigurableApplicationContext ONE =
            StarterRunner.startOnPostgreSql(SCHEMA, List.of(Jpa.class), "test.schema=" + SCHEMA);
    private static final ConfigurableApplicationContext OTHER = StarterRunner.startOnPostgreSql(SCHEMA, List.of());

    @AfterAll
    static void close() {
        OTHER.close();
        ONE.close();
    }

    /** Runs a test beside another instance. */
    private static void run(BiConsumer<Application, TextGroup> test) {
        Store other = OTHER.getBean(Store.class);
        other.deletePrefix("");
        test.accept(new Application(ONE), other.group("group"));
    }

    private record Application(ApplicationContext context) {

        TextGroup group() {
            return context.getBean(Store.class).group("group");
        }

        void transact(BiConsumer<EntityManager, TextGroup> work) {
            PlatformTransactionManager manager = context.getBean(PlatformTransactionManager.class);
            assertThat(manager).isInstanceOf(JpaTransactionManager.class);
            new TransactionTemplate(manager).executeWithoutResult(status -> work.accept(entities(), group()));
        }

        private EntityManager entities() {
            return Objects.requireNonNull(EntityManagerFactoryUtils.getTransactionalEntityManager(
                    context.getBean(EntityManagerFactory.class)));
        }

        @Nullable
        String note(String email) {
            EntityManager entities = context.getBean(EntityManagerFactory.class).createEntityManager();
            try {
                Invited invited = entities.find(Invited.class, email);
                return invited == null ? null : invited.note;
            } finally {
                entities.close();
            }
        }
    }

    /** A row of the application. */
    @Entity
    @Table(name = "invited")
    static class Invited {

        @Id
        String email = "";

        @Column(length = 10)
        String note = "";

        /** Runs when Hibernate flushes the row. */
        @Transient
        Runnable flushed = () -> {};

        Invited() {}

        Invited(String email, String note, Runnable flushed) {
            this.email = email;
            this.note = note;
            this.flushed = flushed;
        }

        @PostPersist
        @PostUpdate
        void flushed() {
            flushed.run();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Jpa {

        @Bean
        LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource source, Environment environment) {
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(source);
            factory.setManagedTypes(PersistenceManagedTypes.of(Invited.class.getName()));
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            factory.getJpaPropertyMap().put("hibernate.hbm2ddl.auto", "update");
            factory.getJpaPropertyMap().put("hibernate.default_schema", environment.getRequiredProperty("test.schema"));
            factory.getJpaPropertyMap().put("hibernate.hbm2ddl.create_namespaces", "true");
            return factory;
        }

        @Bean
        JpaTransactionManager transactionManager(EntityManagerFactory factory) {
            return new JpaTransactionManager(factory);
        }
    }

    @Test
    void entitiesAndEntriesAreCommittedTogether() {
        run((application, seen) -> {
            application.transact((entities, group) -> {
                entities.persist(new Invited("ann", "first", () -> {}));
                group.put("ann", "value");
                assertThat(seen.get("ann")).isEmpty();
            });
            assertThat(application.note("ann")).isEqualTo("first");
            assertThat(seen.get("ann")).contains("value");
        });
    }

    @Test
    void entitiesAndEntriesAreRolledBackTogether() {
        run((application, seen) -> {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> application.transact((entities, group) -> {
                        entities.persist(new Invited("bob", "first", () -> {}));
                        entities.flush();
                        group.put("bob", "value");
                        throw new IllegalArgumentException("no");
                    }));
            assertThat(application.note("bob")).isNull();
            assertThat(seen.get("bob")).isEmpty();
        });
    }

    /** Hibernate sends what is left at the commit, when the store has sent its own. */
    @Test
    void aFlushThatFailsAtTheCommitRollsTheStoreBack() {
        run((application, seen) -> {
            assertThatExceptionOfType(RuntimeException.class)
                    .isThrownBy(() -> application.transact((entities, group) -> {
                        group.put("carl", "value");
                        entities.persist(new Invited("carl", "much too long for the column", () -> {}));
                    }));
            assertThat(application.note("carl")).isNull();
            assertThat(seen.get("carl")).isEmpty();
            assertThat(application.group().get("carl")).isEmpty();
        });
    }

    @Test
    void whatAnEntityWritesToTheStoreDuringTheFlushIsPartOfTheTransaction() {
        run((application, seen) -> {
            application.transact((entities, group) ->
                    entities.persist(new Invited("dora", "first", () -> group.put("dora", "persisted"))));
            assertThat(seen.get("dora")).contains("persisted");
            application.transact((entities, group) -> {
                group.put("before", "value");
                Invited dora = entities.find(Invited.class, "dora");
                dora.note = "second";
                dora.flushed = () -> group.put("dora", "updated");
            });
            assertThat(application.note("dora")).isEqualTo("second");
            assertThat(seen.get("dora")).contains("updated");
            assertThat(seen.get("before")).contains("value");
            assertThatExceptionOfType(RuntimeException.class)
                    .isThrownBy(() -> application.transact((entities, group) -> {
                        entities.persist(new Invited("emil", "first", () -> group.put("emil", "persisted")));
                        entities.persist(new Invited("finn", "much too long for the column", () -> {}));
                    }));
            assertThat(seen.keys()).containsExactly("before", "dora");
        });
    }

    @Test
    void aConflictOfTheStoreRollsTheEntitiesBack() {
        run((application, seen) -> {
            application.group().put("key", "value");
            assertThatExceptionOfType(ConcurrencyFailureException.class)
                    .isThrownBy(() -> application.transact((entities, group) -> {
                        entities.persist(new Invited("gita", "first", () -> {}));
                        group.put("key", group.get("key").orElseThrow() + " of one");
                        seen.put("key", "of the other");
                    }));
            assertThat(application.note("gita")).isNull();
            assertThat(seen.get("key")).contains("of the other");
        });
    }

    /** Hibernate has its connection commit by itself when it has committed, so what the store writes then is not part of it. */
    @Test
    void aWriteAfterTheCommitOfAManagerThatIsNotObservedIsAtomic() {
        run((application, seen) -> {
            JpaTransactionManager manager =
                    new JpaTransactionManager(application.context().getBean(EntityManagerFactory.class));
            application.group().put("key", "value");
            new TransactionTemplate(manager)
                    .executeWithoutResult(status -> AfterCommit.run(() -> {
                        AtomicBoolean raced = new AtomicBoolean();
                        application.group().update("key", value -> {
                            if (!raced.getAndSet(true)) {
                                seen.put("key", "other");
                            }
                            return value + ", changed";
                        });
                    }));
            assertThat(seen.get("key")).contains("other, changed");
        });
    }
}
