package dev.ttlstore.spring.cache;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

import org.example.shop.Book;
import org.example.shop.Books;
import org.example.shop.ShopApplication;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cache.CacheManager;
import org.springframework.context.ConfigurableApplicationContext;

import dev.ttlstore.Store;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.spring.Java;
import dev.ttlstore.spring.MovableClock;

import io.micrometer.core.instrument.MeterRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** {@code @Cacheable} methods of a whole application, with the properties alone. */
class CacheableTests {

    @TempDir
    private Path folder;

    private String[] arguments(String... more) {
        List<String> arguments = new java.util.ArrayList<>(
                List.of(
                        "--store.path=" + folder.resolve("shop.db"),
                        "--store.cache-manager.enabled=true",
                        "--store.cache-manager.caches.books.ttl=10m",
                        "--store.cache-manager.caches.stock.ttl=1m",
                        "--spring.main.web-application-type=none",
                        "--spring.main.banner-mode=off",
                        "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"));
        arguments.addAll(List.of(more));
        return arguments.toArray(String[]::new);
    }

    private ConfigurableApplicationContext start(String... more) {
        return new SpringApplicationBuilder(ShopApplication.class).run(arguments(more));
    }

    private ConfigurableApplicationContext start(MovableClock clock) {
        return new SpringApplicationBuilder(ShopApplication.class)
                .initializers(context -> context.getBeanFactory().registerSingleton("clock", clock))
                .run(arguments());
    }

    @Test
    void resultsAreKeptForTheTtlOfTheirCache() {
        MovableClock clock = new MovableClock();
        try (ConfigurableApplicationContext context = start(clock)) {
            assertThat(context.getBean(Clock.class)).isSameAs(clock);
            Books books = context.getBean(Books.class);
            Book book = books.find("123");
            assertThat(books.find("123")).isEqualTo(book).isNotSameAs(book);
            assertThat(books.stock("123", 2)).isEqualTo(2);
            assertThat(books.stock("123", 2)).isEqualTo(2);
            assertThat(books.calls()).isEqualTo(2);
            clock.advance(Duration.ofMinutes(1));
            assertThat(books.stock("123", 2)).isEqualTo(2);
            assertThat(books.find("123")).isEqualTo(book);
            assertThat(books.calls()).isEqualTo(3);
            clock.advance(Duration.ofMinutes(9));
            assertThat(books.find("123")).isEqualTo(book);
            assertThat(books.calls()).isEqualTo(4);
        }
    }

    @Test
    void differentArgumentsAreDifferentEntriesAndNullIsCached() {
        try (ConfigurableApplicationContext context = start()) {
            Books books = context.getBean(Books.class);
            assertThat(books.stock("123", 0)).isNull();
            assertThat(books.stock("123", 0)).isNull();
            assertThat(books.calls()).isEqualTo(1);
            assertThat(books.stock("123", 1)).isEqualTo(1);
            assertThat(books.stock("12", 31)).isEqualTo(31);
            assertThat(books.calls()).isEqualTo(3);
        }
    }

    @Test
    void whatHasChangedIsAskedForAgain() {
        try (ConfigurableApplicationContext context = start()) {
            Books books = context.getBean(Books.class);
            books.findOnce("123");
            books.findOnce("123");
            assertThat(books.calls()).isEqualTo(1);
            books.changed("123");
            books.findOnce("123");
            assertThat(books.calls()).isEqualTo(2);
        }
    }

    /** The process is killed, not asked to stop. */
    @Tag("crash")
    @Test
    void resultsSurviveAKill() throws Exception {
        assertThat(callsOfAKilledProcess()).isEqualTo(1);
        assertThat(callsOfAKilledProcess()).isZero();
        try (ConfigurableApplicationContext context = start()) {
            Books books = context.getBean(Books.class);
            assertThat(books.find("123")).isEqualTo(new Book("123", "Title of 123", new BigDecimal("9.90")));
            assertThat(books.calls()).isZero();
        }
    }

    private int callsOfAKilledProcess() throws IOException, InterruptedException {
        Process process = Java.start(List.of(), ShopApplication.class, arguments());
        StringBuilder output = new StringBuilder();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.append(line).append('\n');
                if (line.startsWith(ShopApplication.ASKED)) {
                    return Integer.parseInt(line.substring(ShopApplication.ASKED.length()));
                }
            }
        } finally {
            int unused = process.destroyForcibly().waitFor();
        }
        throw new AssertionError("The program has ended:\n" + output);
    }

    @Test
    void valuesCanBeKeptAsJson() {
        try (ConfigurableApplicationContext context =
                start("--store.cache-manager.caches.books.type=" + Book.class.getName())) {
            Book book = context.getBean(Books.class).find("123");
            assertThat(context.getBean(Books.class).find("123")).isEqualTo(book);
            assertThat(context.getBean(Books.class).calls()).isEqualTo(1);
            byte[] stored = context.getBean(Store.class)
                    .group("cache.books", dev.ttlstore.Codec.bytes())
                    .get("123")
                    .orElseThrow();
            assertThat(new String(stored, StandardCharsets.UTF_8)).contains("\"title\":\"Title of 123\"");
        }
    }

    @Test
    void listsCanBeKeptAsJson() {
        try (ConfigurableApplicationContext context =
                start("--store.cache-manager.caches.shelves.type=java.util.List<org.example.shop.Book>")) {
            Books books = context.getBean(Books.class);
            assertThat(books.shelf("a")).isEqualTo(books.shelf("a")).hasSize(1);
            assertThat(books.calls()).isEqualTo(1);
            byte[] stored = context.getBean(Store.class)
                    .group("cache.shelves", dev.ttlstore.Codec.bytes())
                    .get("a")
                    .orElseThrow();
            assertThat(new String(stored, StandardCharsets.UTF_8)).contains("[{\"isbn\":\"a\"");
        }
    }

    @Test
    void whatCannotBeStoredIsExplainedWithTheCacheAndTheProperty() {
        try (ConfigurableApplicationContext context = start("--store.cache-manager.caches.stock.type=java.lang.Long")) {
            Books books = context.getBean(Books.class);
            assertThat(books.shelf("a")).isEqualTo(books.shelf("a"));
            assertThatExceptionOfType(CodecException.class)
                    .isThrownBy(() -> books.object("a"))
                    .withMessageContaining("'objects'")
                    .withMessageContaining(Books.class.getName() + "$1 is not Serializable")
                    .withMessageContaining("'store.cache-manager.caches.objects.type'");
            assertThatExceptionOfType(CodecException.class)
                    .isThrownBy(() -> books.stock("a", 1))
                    .withMessageContaining("'stock'")
                    .withMessageContaining("of java.lang.Integer, and not of java.lang.Long");
        }
    }

    @Test
    void aTypeThatSaysNothingAboutElementsFailsTheStart() {
        assertThatExceptionOfType(BeanCreationException.class)
                .isThrownBy(() -> start("--store.cache-manager.caches.shelves.type=java.util.List"))
                .havingRootCause()
                .withMessageContaining("java.util.List<com.example.Book>");
    }

    @Test
    void cachesAreMeasuredAsBootMeasuresThem() {
        try (ConfigurableApplicationContext context = start()) {
            Books books = context.getBean(Books.class);
            books.find("123");
            books.find("123");
            books.changed("123");
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(gets(registry, "hit")).isEqualTo(1);
            assertThat(gets(registry, "miss")).isEqualTo(1);
            assertThat(registry.get("cache.puts")
                            .tag("cache", "books")
                            .functionCounter()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("cache.removals")
                            .tag("cache", "books")
                            .functionCounter()
                            .count())
                    .isEqualTo(1);
        }
    }

    private static double gets(MeterRegistry registry, String result) {
        return registry.get("cache.gets")
                .tags("cache", "books", "cache.manager", "cacheManager", "result", result)
                .functionCounter()
                .count();
    }

    @Test
    void testsThatTurnCachesOffHaveNone() {
        try (ConfigurableApplicationContext context = start("--spring.cache.type=none")) {
            assertThat(context.getBean(CacheManager.class)).isNotInstanceOf(StoreCacheManager.class);
            context.getBean(Books.class).find("123");
            context.getBean(Books.class).find("123");
            assertThat(context.getBean(Books.class).calls()).isEqualTo(2);
        }
    }
}
