package dev.ttlstore.documents;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.cli.CommandLines;
import dev.ttlstore.export.StoreImport;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.postgresql.TestServer;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

/** The examples of the pages, as they stand there. */
class ExampleTests {

    private static final String COMMAND_LINE = "java -cp 'lib/*' dev.ttlstore.cli.Main ";

    @TempDir
    static Path folder;

    private static Stream<DynamicTest> each(String language, Running run) throws IOException {
        return snippets(language).stream()
                .map(snippet -> dynamicTest(snippet.toString(), () -> {
                    try {
                        run.of(snippet);
                    } catch (Exception | AssertionError e) {
                        throw new AssertionError("The example in " + snippet + " does not do what the page says", e);
                    }
                }));
    }

    private static List<Snippet> snippets(String language) throws IOException {
        List<Snippet> snippets = new ArrayList<>();
        for (Path page : Pages.all()) {
            Snippet.of(page).stream()
                    .filter(snippet -> snippet.language().equals(language))
                    .forEach(snippets::add);
        }
        return snippets;
    }

    private interface Running {
        void of(Snippet snippet) throws Exception;
    }

    /** One that is not right beside its block would never be executed. */
    @Test
    void everyHiddenPartBelongsToAnExample() throws IOException {
        for (Path page : Pages.all()) {
            long hidden = Files.readString(page)
                    .lines()
                    .filter(line -> line.matches("<!-- (given|then)"))
                    .count();
            long found = Snippet.of(page).stream()
                    .flatMap(snippet -> Stream.of(snippet.given(), snippet.then()))
                    .filter(part -> !part.isEmpty())
                    .count();
            assertThat(found).as(page::toString).isEqualTo(hidden);
        }
    }

    @TestFactory
    @Tag("postgresql")
    Stream<DynamicTest> javaRuns() throws IOException {
        CompiledSnippets compiled = new CompiledSnippets(folder, snippets("java"));
        return each("java", compiled::run);
    }

    /** Those with a database are only parsed. */
    @TestFactory
    Stream<DynamicTest> theCommandLineRuns() throws IOException {
        return each("shell", snippet -> {
            Path file = folder.resolve("cli").resolve("app.db");
            try (Store store = Store.open(file)) {
                store.scope("acme").group("config").put("theme", "dark");
            }
            for (String line : snippet.code().lines().toList()) {
                if (line.startsWith(COMMAND_LINE)) {
                    String[] arguments = line.substring(COMMAND_LINE.length())
                            .replaceAll(" \\|.*", "")
                            .replaceAll(" (?=\\S*app\\.db|\\S*\\.jsonl)", " " + file.getParent() + "/")
                            .split(" +");
                    ByteArrayOutputStream err = new ByteArrayOutputStream();
                    assertThat(CommandLines.run(err, arguments))
                            .as(() -> line + err.toString(UTF_8))
                            .isZero();
                }
            }
        });
    }

    @TestFactory
    @Tag("postgresql")
    Stream<DynamicTest> sqlRuns() throws IOException {
        return each("sql", snippet -> {
            String schema = TestServer.freshSchema();
            PostgreSql engine = PostgreSql.on(TestServer.dataSource()).schema(schema);
            try (Store store = Store.builder().engine(engine).open();
                    Connection connection = TestServer.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(snippet.code().replace("ttl_store", schema));
                assertThat(store.count()).isZero();
            } finally {
                TestServer.drop(schema);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> exportedLinesAreImported() throws IOException {
        return each("json", snippet -> {
            try (Store store = Store.inMemory()) {
                ByteArrayInputStream lines =
                        new ByteArrayInputStream(snippet.code().getBytes(UTF_8));
                assertThat(StoreImport.into(store).fromStream(lines).created()).isPositive();
            }
        });
    }
}
