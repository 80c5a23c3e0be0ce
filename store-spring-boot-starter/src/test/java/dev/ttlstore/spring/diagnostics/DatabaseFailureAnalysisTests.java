package dev.ttlstore.spring.diagnostics;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.spring.TestDatabase;
import dev.ttlstore.spring.autoconfigure.StoreDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What a user reads when the application does not start because of the database of its store. */
@Tag("variant")
@ExtendWith(OutputCaptureExtension.class)
class DatabaseFailureAnalysisTests {

    private static FailingStart start(Class<?> sources) {
        return FailingStart.onPostgreSql("app").with(sources);
    }

    @Test
    void aMissingDataSource(CapturedOutput output) {
        FailingStart.onPostgreSql("app").run();
        Report report = Report.in(output);
        assertThat(report.description()).contains("'store.engine=postgresql'", "has none");
        assertThat(report.action())
                .contains(
                        "org.springframework.boot:spring-boot-starter-jdbc",
                        "org.postgresql:postgresql",
                        "'spring.datasource.url'",
                        "remove 'store.engine=postgresql'");
    }

    @Test
    void severalDataSourcesOfWhichNoneIsPrimary(CapturedOutput output) {
        start(Several.class).run();
        Report report = Report.in(output);
        assertThat(report.description()).contains("[first, second]", "none is primary");
        assertThat(report.action()).contains("@StoreDataSource", "@Primary");
    }

    @Test
    void severalDataSourcesThatAreMarked(CapturedOutput output) {
        start(SeveralMarked.class).run();
        Report report = Report.in(output);
        assertThat(report.description()).contains("Several DataSource beans", "@StoreDataSource");
        assertThat(report.action()).contains("[one, other]", "@Primary");
    }

    @Test
    void anotherDatabase(CapturedOutput output) {
        start(OfH2.class).run();
        Report report = Report.in(output);
        assertThat(report.description()).isEqualTo("The DataSource connects to H2, and the engine needs PostgreSQL.");
        assertThat(report.action()).contains("'spring.datasource.url'", "@StoreDataSource", "@AutoConfigureTestStore");
    }

    @Test
    void aServerThatCannotBeReached(CapturedOutput output) {
        start(Nowhere.class).run();
        Report report = Report.in(output);
        assertThat(report.description()).contains("could not be made", "localhost:1 refused");
        assertThat(report.action()).contains("'spring.datasource.url'");
    }

    @Test
    void aServerThatCannotBeReachedThroughAPool(CapturedOutput output) {
        start(PoolOfNowhere.class).run();
        Report report = Report.in(output);
        assertThat(report.description()).contains("could not be made", "localhost:1 refused");
        assertThat(report.action()).contains("'spring.datasource.url'").doesNotContain("secret");
    }

    /** As behind pgbouncer in transaction mode. */
    @Test
    void aPoolerThatMixesUpPreparedStatements(CapturedOutput output) {
        start(Pooled.class).run();
        Report report = Report.in(output);
        assertThat(report.description()).contains("prepared statement", "pooler");
        assertThat(report.action()).contains("prepareThreshold=0");
    }

    @Test
    @Tag("postgresql")
    void missingTablesThatAreNotToBeCreated(CapturedOutput output) {
        String schema = TestDatabase.freshName();
        FailingStart.onPostgreSql(schema)
                .with(OfTheApplication.class)
                .with("--store.postgresql.initialize-schema=never")
                .run();
        Report report = Report.in(output);
        assertThat(report.description()).contains(schema, "missing");
        assertThat(report.action())
                .contains(
                        "'store.postgresql.initialize-schema=always'",
                        "dev/ttlstore/postgresql/schema.sql",
                        "'store.postgresql.schema'");
    }

    @Test
    @Tag("postgresql")
    void aRoleThatMayNotCreateTheSchema(CapturedOutput output) {
        TestDatabase.execute("CREATE ROLE without_rights LOGIN");
        String schema = TestDatabase.freshName();
        FailingStart.onPostgreSql(schema).with(OfARoleWithoutRights.class).run();
        Report report = Report.in(output);
        assertThat(report.description()).contains("may not create", schema);
        assertThat(report.action()).contains("administrator", "'store.postgresql.initialize-schema=never'");
    }

    @Test
    @Tag("postgresql")
    void aRoleThatMayNotUseTheSchema(CapturedOutput output) {
        String schema = TestDatabase.freshName();
        create(schema);
        TestDatabase.execute("CREATE ROLE without_grants LOGIN");
        FailingStart.onPostgreSql(schema).with(OfARoleWithoutGrants.class).run();
        Report report = Report.in(output);
        assertThat(report.description()).contains("The role may not do this");
        assertThat(report.action()).contains("Grant", "schema.sql");
    }

    @Test
    @Tag("postgresql")
    void aNewerSchema(CapturedOutput output) {
        String schema = TestDatabase.freshName();
        create(schema);
        TestDatabase.execute("UPDATE " + schema + ".layout SET version = 1000");
        FailingStart.onPostgreSql(schema).with(OfTheApplication.class).run();
        Report report = Report.in(output);
        assertThat(report.description()).contains(schema, "newer version", "1000");
        assertThat(report.action()).contains("that version or a later one", "'store.postgresql.schema'");
    }

    @Test
    @Tag("postgresql")
    void aDatabaseThatDoesNotExist(CapturedOutput output) {
        FailingStart.onPostgreSql("app").with(OfNoDatabase.class).run();
        Report report = Report.in(output);
        assertThat(report.description()).contains("does not exist");
        assertThat(report.action()).contains("'spring.datasource.url'");
    }

    private static void create(String schema) {
        Store.builder()
                .engine(PostgreSql.on(TestDatabase.dataSource()).schema(schema))
                .open()
                .close();
    }

    private static DataSource nowhere() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://localhost:1/nowhere?password=secret");
        return source;
    }

    @Configuration(proxyBeanMethods = false)
    static class Several {

        @Bean
        DataSource first() {
            return nowhere();
        }

        @Bean
        DataSource second() {
            return nowhere();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SeveralMarked {

        @Bean
        @StoreDataSource
        DataSource one() {
            return nowhere();
        }

        @Bean
        @StoreDataSource
        DataSource other() {
            return nowhere();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfH2 {

        @Bean
        @Primary
        DataSource h2() {
            JdbcDataSource source = new JdbcDataSource();
            source.setUrl("jdbc:h2:mem:not-for-a-store");
            return source;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Nowhere {

        @Bean
        DataSource source() {
            return nowhere();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PoolOfNowhere {

        @Bean
        DataSource pool() {
            HikariDataSource pool = new HikariDataSource();
            pool.setDataSource(nowhere());
            return pool;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Pooled {

        @Bean
        DataSource pooled() {
            return new Mixed();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfTheApplication {

        @Bean
        DataSource source() {
            return TestDatabase.dataSource();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfARoleWithoutRights {

        @Bean
        DataSource source() {
            return TestDatabase.dataSource("without_rights");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfARoleWithoutGrants {

        @Bean
        DataSource source() {
            return TestDatabase.dataSource("without_grants");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfNoDatabase {

        @Bean
        DataSource source() {
            PGSimpleDataSource source = TestDatabase.dataSource();
            source.setDatabaseName("absent");
            return source;
        }
    }

    /** Answers as the server does behind a pooler that has handed it to another session. */
    private static final class Mixed extends DelegatingDataSource {

        Mixed() {
            super(new JdbcDataSource());
        }

        @Override
        public Connection getConnection() {
            return (Connection) Proxy.newProxyInstance(
                    Mixed.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        return switch (method.getName()) {
                            case "prepareStatement" ->
                                throw new SQLException("prepared statement \"S_1\" already exists", "42P05");
                            case "getAutoCommit" -> true;
                            case "getMetaData" -> metaData();
                            default -> null;
                        };
                    });
        }

        private static Object metaData() {
            Class<?> type = DatabaseMetaData.class;
            return Proxy.newProxyInstance(
                    Mixed.class.getClassLoader(),
                    new Class<?>[] {type},
                    (proxy, method, arguments) -> method.getReturnType() == int.class ? 18 : (Object) "PostgreSQL");
        }
    }
}
