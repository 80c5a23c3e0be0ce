package dev.ttlstore.spring;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

import dev.ttlstore.Store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** An application on PostgreSQL that leaves out what only the embedded engine and the near cache need. */
@Tag("postgresql")
class LeanClassPathTests {

    private static final List<String> EMBEDDED = List.of("sqlite-jdbc", "caffeine");

    private static final List<String> SPRINGS_JDBC = List.of("spring-jdbc", "spring-boot-jdbc", "spring-boot-sql");

    @Tag("variant")
    @Test
    void theStoreWorksWithoutSqliteAndCaffeine() throws Exception {
        String output = start(EMBEDDED);
        assertThat(output)
                .contains("WITHOUT org.sqlite.JDBC", "WITHOUT com.github.benmanes.caffeine.cache.Caffeine")
                .contains("READ dark")
                .contains("LEFT 0")
                .contains("CLOSED")
                .doesNotContain("ERROR", "WARN ");
    }

    @Tag("variant")
    @Test
    void aNearCacheWithoutCaffeineTellsItsDependency() throws Exception {
        assertThat(start(EMBEDDED, "--store.near-cache.max-size=1MB"))
                .contains("APPLICATION FAILED TO START", "com.github.ben-manes.caffeine:caffeine");
    }

    @Tag("variant")
    @Test
    void aCopyToAFileWithoutSqliteTellsItsDependencyAndCreatesNothing(@TempDir Path folder) throws Exception {
        String schema = TestDatabase.freshName();
        assertThat(startIn(schema, EMBEDDED)).contains("CLOSED");
        assertThat(startIn(schema, EMBEDDED, "--store.copy-to=sqlite", "--store.path=" + folder.resolve("store.db")))
                .contains("APPLICATION FAILED TO START", "org.xerial:sqlite-jdbc")
                .doesNotContain("NoClassDefFoundError");
        assertThat(folder).isEmptyDirectory();
    }

    @Tag("variant")
    @Test
    void aDataSourceOfTheApplicationsOwnNeedsNoJdbcOfSpring() throws Exception {
        assertThat(start(SPRINGS_JDBC))
                .contains("WITHOUT org.springframework.jdbc.core.JdbcTemplate", "of the DataSource 'own'")
                .contains("READ dark", "CLOSED")
                .doesNotContain("ERROR", "WARN ");
    }

    private static String start(List<String> leftOut, String... more) throws Exception {
        return startIn(TestDatabase.freshName(), leftOut, more);
    }

    private static String startIn(String schema, List<String> leftOut, String... more) throws Exception {
        String[] arguments = Stream.concat(
                        Stream.of(TestDatabase.properties(schema)).map(property -> "--" + property), Stream.of(more))
                .toArray(String[]::new);
        Process process = Java.startWithout(leftOut, List.of(), LeanClassPathTests.class, arguments);
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        process.waitFor();
        return output;
    }

    /** The application, in a process of its own. */
    public static void main(String[] arguments) {
        for (String name : List.of(
                "org.sqlite.JDBC",
                "com.github.benmanes.caffeine.cache.Caffeine",
                "org.springframework.jdbc.core.JdbcTemplate")) {
            System.out.println((ClassUtils.isPresent(name, null) ? "WITH " : "WITHOUT ") + name);
        }
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run(arguments)) {
            Store store = context.getBean(Store.class);
            store.group("config").put("theme", "dark", Duration.ofHours(1));
            System.out.println("READ " + store.group("config").get("theme").orElse("absent"));
            store.group("config").expireAllNow();
            System.out.println("LEFT " + store.group("config").count());
        }
        System.out.println("CLOSED");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        @ConditionalOnMissingClass("org.springframework.jdbc.core.JdbcTemplate")
        DataSource own(
                @Value("${spring.datasource.url}") String url, @Value("${spring.datasource.username}") String user) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(url);
            source.setUser(user);
            return source;
        }
    }
}
