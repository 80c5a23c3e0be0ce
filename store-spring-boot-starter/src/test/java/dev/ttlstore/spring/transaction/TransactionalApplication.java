package dev.ttlstore.spring.transaction;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** An application with a table of its own and methods in transactions, whose store is on PostgreSQL. */
record TransactionalApplication(ApplicationContext context, String schema) {

    /**
     * Runs a test in an application, beside another instance.
     *
     * @param test gets the application, and a group as the other instance sees it
     */
    static void run(BiConsumer<TransactionalApplication, TextGroup> test, String... properties) {
        runWith(Beans.class, test, properties);
    }

    /** Runs a test in an application that has more beans. */
    static void runWith(Class<?> beans, BiConsumer<TransactionalApplication, TextGroup> test, String... properties) {
        String schema = TestDatabase.freshName();
        ApplicationContextRunner runner = StarterRunner.onPostgreSql(schema)
                .withUserConfiguration(Beans.class, beans)
                .withPropertyValues(properties);
        runner.run(one -> {
            assertThat(one).hasNotFailed();
            StarterRunner.onPostgreSql(schema).run(other -> {
                TransactionalApplication application = new TransactionalApplication(one, schema);
                application.transactions().executeWithoutResult(status -> application
                        .jdbc()
                        .execute("CREATE TABLE IF NOT EXISTS \"" + schema + "\".orders (id integer PRIMARY KEY)"));
                test.accept(application, other.getBean(Store.class).group("group"));
            });
        });
    }

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

    /** Returns the store's events that the application has got and the test has not taken. */
    BlockingQueue<StoreEvent> events() {
        return context.getBean(Events.class).events;
    }

    TransactionTemplate transactions() {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    void order(int id) {
        jdbc().update("INSERT INTO \"" + schema + "\".orders VALUES (?)", id);
    }

    void deleteOrder(int id) {
        jdbc().update("DELETE FROM \"" + schema + "\".orders WHERE id = ?", id);
    }

    @Nullable
    Integer orders() {
        return jdbc().queryForObject("SELECT count(*) FROM \"" + schema + "\".orders", Integer.class);
    }

    /** Waits for the next event of the store. */
    StoreEvent nextEvent() {
        try {
            StoreEvent event = events().poll(20, TimeUnit.SECONDS);
            assertThat(event).as("event").isNotNull();
            return event;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
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
        Events events() {
            return new Events();
        }
    }

    /** Keeps the store's events. */
    static class Events {
        private final BlockingQueue<StoreEvent> events = new LinkedBlockingQueue<>();

        @EventListener
        void changed(StoreEvent event) {
            events.add(event);
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

    /** What a test throws to roll back. */
    static final class Refusal extends RuntimeException {
        static final long serialVersionUID = 1;
    }
}
