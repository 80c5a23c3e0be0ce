package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.ttlstore.Store;
import dev.ttlstore.StoreCopy;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.spring.Java;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.TestDatabase;
import dev.ttlstore.spring.expiry.OnExpiry;
import dev.ttlstore.sqlite.Sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** The command that copies the store of an application to the other engine. */
@Tag("postgresql")
@ExtendWith(OutputCaptureExtension.class)
class StoreCopyCommandTests {

    private static final String TO_POSTGRESQL = "--store.copy-to=postgresql";

    @TempDir
    Path folder;

    private final String schema = TestDatabase.freshName();

    /** How a process has ended. */
    private record Outcome(int code, String output) {}

    private Path file() {
        return folder.resolve("store.db");
    }

    @Test
    void aFileIsCopiedToPostgreSqlByTheConfigurationOfTheApplication(CapturedOutput output) throws Exception {
        try (Store store = Store.open(file())) {
            store.group("config").put("theme", "dark", Duration.ofDays(1));
        }
        Outcome copied = startProcess("--store.path=" + file(), TO_POSTGRESQL);
        assertThat(copied.output())
                .contains("Copying the store from the file " + file() + " to the schema '" + schema + "' in PostgreSQL")
                .contains("Copied and verified 1 entries, 0 retained entries, 0 subscribers and 0 deliveries")
                .contains("remove 'store.copy-to' and set 'store.engine=postgresql'")
                .doesNotContain("STARTED", "ERROR", "WARN ", "jdbc:");
        assertThat(copied.code()).isZero();

        start("--store.engine=postgresql");
        assertThat(output).contains("STARTED with theme dark").doesNotContain("ERROR", "WARN ");
    }

    @Tag("slow")
    @Test
    void aStoreOnPostgreSqlIsCopiedToAFileByTheConfigurationOfTheApplication() throws Exception {
        start("--store.engine=postgresql"); // which subscribes
        try (Store store = Store.builder()
                .engine(PostgreSql.on(TestDatabase.dataSource()).schema(schema))
                .open()) {
            store.group("config").put("theme", "dark", Duration.ofDays(1));
        }
        Path back = folder.resolve("back.db");
        Outcome returned = startProcess("--store.engine=postgresql", "--store.path=" + back, "--store.copy-to=sqlite");
        assertThat(returned.output())
                .contains("Copied and verified 1 entries, 0 retained entries, 1 subscribers and 0 deliveries")
                .contains("set 'store.engine=sqlite'")
                .doesNotContain("STARTED", "ERROR", "WARN ");
        assertThat(returned.code()).isZero();
        try (Store store = Store.open(back)) {
            assertThat(store.group("config").get("theme")).contains("dark");
            assertThat(store.group("config").entry("theme").orElseThrow().expiresAt())
                    .isNotNull();
        }
    }

    @Test
    void aTargetThatIsNotEmptyFailsTheStartAndTellsTheProperties(CapturedOutput output) {
        Store.open(file()).close();
        start("--store.engine=postgresql"); // which subscribes
        int started = output.length();
        assertFails("--store.path=" + file(), TO_POSTGRESQL);
        assertThat(output.toString().substring(started))
                .contains("APPLICATION FAILED TO START")
                .contains("is not empty: it holds 0 entries, 0 retained entries, 1 subscribers and 0 deliveries")
                .contains("Choose an empty target")
                .contains("'store.path' and 'store.postgresql.schema'")
                .doesNotContain("STARTED");
    }

    @Tag("slow")
    @Test
    void anUnfinishedCopyFailsTheStartUntilTheCommandHasContinuedIt() throws Exception {
        try (Store store = Store.open(file())) {
            store.group("config").put("theme", "dark");
        }
        PostgreSql target = PostgreSql.on(TestDatabase.dataSource()).schema(schema);
        assertThatIllegalStateException().isThrownBy(() -> StoreCopy.from(Sqlite.file(file()))
                .to(target)
                .onProgress(progress -> {
                    throw new IllegalStateException("on purpose");
                })
                .run());
        Outcome refused = startProcess("--store.engine=postgresql");
        assertThat(refused.output())
                .contains("APPLICATION FAILED TO START", "holds an unfinished copy of a store", "'store.copy-to' again")
                .doesNotContain("STARTED");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(startProcess("--store.path=" + file(), TO_POSTGRESQL).code()).isZero();
        assertThat(startProcess("--store.engine=postgresql").output()).contains("STARTED with theme dark");
    }

    @Test
    void aFileThatDoesNotExistFailsTheStart(CapturedOutput output) {
        assertFails("--store.path=" + file(), TO_POSTGRESQL);
        assertThat(output)
                .contains("APPLICATION FAILED TO START", "because there is no such file", "'store.path'")
                .doesNotContain("STARTED");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aCopyToTheSameEngineIsRefused() {
        StarterRunner.onPostgreSql(schema)
                .withPropertyValues("store.copy-to=postgresql")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("it must be the engine that 'store.engine' is not"));
    }

    @Test
    void aStoreInMemoryIsNotCopied() {
        StarterRunner.at(folder)
                .withPropertyValues("store.in-memory=true", "store.copy-to=postgresql")
                .run(context ->
                        assertThat(context).getFailure().hasMessageContaining("a store in memory cannot be copied"));
    }

    @Test
    void withoutADataSourceTheCopyTellsHowToAddOne() {
        StarterRunner.at(folder)
                .withPropertyValues("store.path=" + file(), "store.copy-to=postgresql")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("With 'store.copy-to' the copy of the store needs a DataSource")
                        .hasMessageContaining("'spring.datasource.url'"));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aStoreOfTheApplicationsOwnIsNotCopied() {
        StarterRunner.onPostgreSql(schema)
                .withPropertyValues("store.copy-to=sqlite", "store.path=" + file())
                .withBean("own", Store.class, () -> Store.builder().inMemory().open())
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("the application declares its own")
                        .hasMessageContaining("StoreCopy.from"));
        assertThat(folder).isEmptyDirectory();
    }

    /** Starts the application within this process, which a copy that succeeds would end. */
    private void start(String... arguments) {
        main(withDefaults(arguments));
    }

    private void assertFails(String... arguments) {
        assertThatException().isThrownBy(() -> start(arguments));
    }

    private Outcome startProcess(String... arguments) throws Exception {
        Process process = Java.start(List.of(), StoreCopyCommandTests.class, withDefaults(arguments));
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Outcome(process.waitFor(), output);
    }

    private String[] withDefaults(String... arguments) {
        return Stream.concat(
                        Stream.of(
                                "--spring.main.web-application-type=none",
                                "--spring.datasource.url=" + TestDatabase.url(),
                                "--spring.datasource.username=" + TestDatabase.USER,
                                "--store.postgresql.schema=" + schema),
                        Stream.of(arguments))
                .toArray(String[]::new);
    }

    /** The application. */
    public static void main(String[] arguments) {
        SpringApplication.run(Application.class, arguments).close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Started started(Store store) {
            return new Started(store);
        }
    }

    static final class Started {

        Started(Store store) {
            System.out.println(
                    "STARTED with theme " + store.group("config").get("theme").orElse("none"));
        }

        @OnExpiry(subscriber = "themes", group = "config")
        void ended(String theme) {
            System.out.println("ENDED " + theme);
        }
    }
}
