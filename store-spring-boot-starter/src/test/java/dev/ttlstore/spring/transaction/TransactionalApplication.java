package dev.ttlstore.spring.transaction;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
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
     * Runs a test in an application, beside another instance. Tests without properties of their own share both; see {@link Shared}.
     *
     * @param test gets the application, and a group as the other instance sees it
     */
    static void run(BiConsumer<TransactionalApplication, TextGroup> test, String... properties) {
        runWith(Beans.class, test, properties);
    }

    /** Runs a test in an application that has more beans. */
    static void runWith(Class<?> beans, BiConsumer<TransactionalApplication, TextGroup> test, String... properties) {
        if (properties.length == 0) {
            Shared.get(beans).run(test);
            return;
        }
        String schema = TestDatabase.freshName();
        ApplicationContextRunner runner = StarterRunner.onPostgreSql(schema)
                .withUserConfiguration(Beans.class, beans)
                .withPropertyValues(properties);
        runner.run(one -> {
            assertThat(one).hasNotFailed();
            StarterRunner.onPostgreSql(schema).run(other -> {
                TransactionalApplication application = new TransactionalApplication(one, schema);
                application.createTable();
                test.accept(application, other.getBean(Store.class).group("group"));
            });
        });
    }

    /**
     * Two instances of an application, which take most of the time of a test to start. The tests of a class share them and find them
     * empty. A class that uses them is extended with this one, which closes them.
     */
    static final class Shared implements AfterAllCallback {

        private static final Map<Class<?>, Instances> OPEN = new HashMap<>();

        static Instances get(Class<?> beans) {
            return OPEN.computeIfAbsent(beans, Instances::start);
        }

        @Override
        public void afterAll(ExtensionContext testClass) {
            OPEN.values().forEach(Instances::close);
            OPEN.clear();
        }
    }

    private record Instances(TransactionalApplication application, ConfigurableApplicationContext other) {

        static Instances start(Class<?> beans) {
            String schema = TestDatabase.freshName();
            TransactionalApplication application = new TransactionalApplication(
                    StarterRunner.startOnPostgreSql(schema, List.of(Beans.class, beans)), schema);
            application.createTable();
            return new Instances(application, StarterRunner.startOnPostgreSql(schema, List.of()));
        }

        void run(BiConsumer<TransactionalApplication, TextGroup> test) {
            application.clear();
            test.accept(application, other.getBean(Store.class).group("group"));
        }

        void close() {
            other.close();
            ((ConfigurableApplicationContext) application.context()).close();
        }
    }

    private void createTable() {
        transactions().executeWithoutResult(status -> jdbc().execute(
                        "CREATE TABLE IF NOT EXISTS \"" + schema + "\".orders (id integer PRIMARY KEY)"));
    }

    /** Makes the application as new, also to an event that is still on its way. */
    private void clear() {
        jdbc().setQueryTimeout(-1);
        jdbc().execute("TRUNCATE \"" + schema + "\".orders");
        store().deletePrefix("");
        TextGroup last = store().group("last");
        last.put("key", "value");
        last.delete("key");
        StoreEvent event = nextEvent();
        while (!(event.group().equals("last") && event.type().equals("delete"))) {
            event = nextEvent();
        }
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
