package dev.ttlstore.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** An example that does not compile is found, and none is left out. */
class JavadocExamplesTests {

    /** Each example is about another thing; the broken lines have a word that is nowhere else. */
    private static final String SOURCE = """
            package dev.ttlstore;

            /**
             * Statements, with the store and the imports:
             *
             * <pre>{@code
             * record Invite(String mail) {}
             * Optional<Invite> invite = store.group("invites", Invite.class).get("ann");
             * }</pre>
             *
             * <p>Members of a class:
             *
             * <pre>{@code
             * record Invite(String mail) {}
             *
             * @Deprecated
             * Optional<Invite> find(String key) {
             *     return store.group("invites", Invite.class).get(key);
             * }
             * }</pre>
             *
             * <p>A broken statement:
             *
             * <pre>{@code
             * TextGroup config = store.group("config");
             * config.putt("theme", "dark");
             * }</pre>
             *
             * <p>A broken member:
             *
             * <pre>{@code
             * String find(String key) {
             *     Invitation invite = null;
             *     return store.group("invites").get(key).orElseThrow();
             * }
             * }</pre>
             *
             * <p>A syntax error:
             *
             * <pre>{@code
             * String find(String key) {
             *     return store.group("semicolon").get(key).orElseThrow()
             * }
             * }</pre>
             *
             * <p>An expression:
             *
             * <pre>{@code
             * store.group("expression").count()
             * }</pre>
             *
             * <p>A raw type:
             *
             * <pre>{@code
             * List<String> raw = List.copyOf((List) List.of());
             * }</pre>
             *
             * <p>Another language, and Java that is called so:
             *
             * <pre class="language-json">{@code
             * {"key":"theme","value":"dark"}
             * }</pre>
             *
             * <pre class="language-sql">{@code
             * store.grup("sql");
             * }</pre>
             */
            public class Invites {}
            """;

    @TempDir
    private static Path folder;

    private static Path file;
    private static List<String> problems;

    /** All at once, because starting the compiler takes longer than its work. */
    @BeforeAll
    static void compile() throws IOException {
        file = Files.writeString(folder.resolve("Invites.java"), SOURCE);
        Path classes = Files.createDirectory(folder.resolve("classes"));
        problems = new JavadocExamples(classes, List.of("java.util.*")).problems(JavadocSnippets.of(file));
    }

    /** Returns what was found in the line with a word. */
    private static List<String> problems(String word) {
        int line = (int) SOURCE.substring(0, SOURCE.indexOf(word)).lines().count();
        String start = file + ":" + line + ": ";
        return problems.stream()
                .filter(problem -> problem.startsWith(start))
                .map(problem -> problem.substring(start.length()))
                .toList();
    }

    @Test
    void whatCompilesIsNotReported() {
        assertThat(Stream.of("putt", "Invitation", "semicolon", "count()", "copyOf", "grup")
                        .flatMap(word -> problems(word).stream()))
                .hasSameSizeAs(problems);
    }

    @Test
    void aBrokenStatementIsReportedWithItsLine() {
        assertThat(problems("putt"))
                .singleElement()
                .asString()
                .startsWith("cannot find symbol")
                .contains("putt");
    }

    @Test
    void aBrokenMemberIsReportedWithItsLine() {
        assertThat(problems("Invitation")).singleElement().asString().contains("class Invitation");
    }

    @Test
    void aSyntaxErrorIsReportedWithItsLine() {
        assertThat(problems("semicolon")).containsExactly("';' expected");
    }

    @Test
    void anExpressionAloneIsNoExample() {
        assertThat(problems("count()")).containsExactly("';' expected");
    }

    @Test
    void aRawTypeIsReported() {
        assertThat(problems("copyOf")).isNotEmpty().allSatisfy(problem -> assertThat(problem)
                .containsAnyOf("raw type", "unchecked"));
    }

    @Test
    void javaIsNotSkippedAsAnotherLanguage() {
        assertThat(problems("grup")).containsExactly("this is Java and not sql");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<pre>",
                "<pre>store.count();</pre>",
                "{@snippet :",
                "<pre class=\"language-none\">{@code",
                "<pre> {@code"
            })
    void anExampleInAnotherFormIsRefused(String start) throws IOException {
        Path other = Files.writeString(
                folder.resolve("Other.java"), "/**\n * " + start + "\n * store.count();\n * }</pre>\n */\n");
        assertThatThrownBy(() -> JavadocSnippets.of(other))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Other.java:2: an example starts with a line <pre>{@code");
    }
}
