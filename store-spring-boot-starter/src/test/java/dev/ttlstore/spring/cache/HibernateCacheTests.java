package dev.ttlstore.spring.cache;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

import javax.cache.CacheManager;

import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.Entry;
import dev.ttlstore.Store;
import dev.ttlstore.jcache.JCache;

import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.Version;

import static org.assertj.core.api.Assertions.assertThat;

/** Hibernate's second-level cache in a store, with two instances of an application that share it. */
class HibernateCacheTests {

    private static final String TITLES = "select title from HibernateCacheTests$Book order by title";

    /** A row that is read often. */
    @Entity
    @jakarta.persistence.Cacheable
    @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
    static class Book {

        @Id
        String isbn = "";

        @Version
        int version;

        String title = "";

        @ElementCollection(fetch = FetchType.LAZY)
        @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
        List<String> authors = List.of();
    }

    private final String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final Store store = Store.inMemory();

    @AfterEach
    void close() {
        store.close();
    }

    private CacheManager secondLevelCaches(Store store) {
        Properties properties = new Properties();
        properties.setProperty("dev.ttlstore.jcache.allowed-classes", "org.hibernate.**");
        return JCache.of(store, getClass().getClassLoader(), properties);
    }

    /** Starts an instance of the application. */
    private SessionFactory start() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("hibernate.connection.url", database);
        settings.put("hibernate.hbm2ddl.auto", "update");
        settings.put("hibernate.generate_statistics", true);
        settings.put("hibernate.cache.use_second_level_cache", true);
        settings.put("hibernate.cache.use_query_cache", true);
        settings.put("hibernate.cache.region.factory_class", "jcache");
        settings.put("hibernate.javax.cache.missing_cache_strategy", "create");
        settings.put("hibernate.javax.cache.cache_manager", secondLevelCaches(store));
        return new MetadataSources(new StandardServiceRegistryBuilder()
                        .applySettings(settings)
                        .build())
                .addAnnotatedClass(Book.class)
                .buildMetadata()
                .buildSessionFactory();
    }

    private static void write(SessionFactory instance, Consumer<Session> work) {
        instance.inTransaction(work::accept);
    }

    private static void store(SessionFactory instance, String isbn, String title) {
        write(instance, session -> {
            Book book = new Book();
            book.isbn = isbn;
            book.title = title;
            book.authors = List.of("Ann", "Bob");
            session.persist(book);
        });
    }

    /** Reads, and counts the statements that the database gets meanwhile. */
    private static <R> R read(SessionFactory instance, long statements, Function<Session, R> work) {
        Statistics statistics = instance.getStatistics();
        statistics.clear();
        R result = instance.fromTransaction(work::apply);
        assertThat(statistics.getPrepareStatementCount()).isEqualTo(statements);
        return result;
    }

    private static String title(SessionFactory instance, long statements) {
        return read(instance, statements, session -> session.find(Book.class, "1").title);
    }

    private static List<String> authors(SessionFactory instance, long statements) {
        return read(instance, statements, session -> List.copyOf(session.find(Book.class, "1").authors));
    }

    private static List<String> titles(SessionFactory instance, long statements) {
        return read(instance, statements, session -> session.createQuery(TITLES, String.class)
                .setCacheable(true)
                .list());
    }

    @Test
    void entitiesAndCollectionsAreReadFromTheStoreAfterARestart() {
        try (SessionFactory before = start()) {
            store(before, "1", "Emma");
            assertThat(authors(before, 1)).containsExactly("Ann", "Bob");
        }
        try (SessionFactory after = start()) {
            assertThat(title(after, 0)).isEqualTo("Emma");
            assertThat(authors(after, 0)).containsExactly("Ann", "Bob");
        }
    }

    @Test
    void anInstanceSeesWhatAnotherHasChanged() {
        try (SessionFactory one = start();
                SessionFactory other = start()) {
            store(one, "1", "Emma");
            assertThat(title(other, 0)).isEqualTo("Emma");
            write(one, session -> session.find(Book.class, "1").title = "Persuasion");
            assertThat(title(other, 0)).isEqualTo("Persuasion");
            write(other, session -> session.remove(session.find(Book.class, "1")));
            boolean there = read(one, 1, session -> session.find(Book.class, "1") != null);
            assertThat(there).isFalse();
        }
    }

    /** The times of the updates are in the store as well, and never expire. */
    @Test
    void theResultOfAQueryIsReadAgainIfAnInstanceHasChangedItsTable() throws InterruptedException {
        try (SessionFactory one = start();
                SessionFactory other = start()) {
            store(one, "1", "Emma");
            Thread.sleep(2); // a result is current if it is later than the last update
            assertThat(titles(one, 1)).containsExactly("Emma");
            assertThat(titles(other, 0)).containsExactly("Emma");
            store(other, "2", "Persuasion");
            Thread.sleep(2);
            assertThat(titles(one, 1)).containsExactly("Emma", "Persuasion");
        }
        try (SessionFactory after = start()) {
            assertThat(titles(after, 0)).containsExactly("Emma", "Persuasion");
        }
        assertThat(store.group("jcache.default-update-timestamps-region", Codec.bytes())
                        .entries()
                        .map(Entry::expiresAt)
                        .toList())
                .isNotEmpty()
                .containsOnlyNulls();
    }
}
