package dev.ttlstore.sample.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/** Every command on a page is one that a shell understands, and names modules, tests, classes, files and properties that exist. */
class ShellExamplesTests {

    private static final Path BASH = Path.of("/bin/bash");
    private static final Pattern MODULES = Pattern.compile("-pl ([\\w,-]+)");
    private static final Pattern TESTS = Pattern.compile("-Dtest=([\\w,]+)");
    private static final Pattern PROFILES = Pattern.compile("-P(\\w+)");
    private static final Pattern MAIN_CLASSES = Pattern.compile("-Dloader\\.main=([\\w.]+)");
    private static final Pattern SCRIPTS =
            Pattern.compile("(?<![\\w/.])((?:sample-app|\\.ci)/[\\w.-]+)(?= |$)", Pattern.MULTILINE);
    private static final Pattern SETTINGS = Pattern.compile("--(store\\.[\\w.-]+)=([^\\s\"']*)");

    private static final ConfigurationMetadata METADATA = new ConfigurationMetadata();
    private static final List<String> SOURCES = Document.files(".java").stream()
            .map(file -> file.toString().replace('\\', '/'))
            .toList();
    private static final String BUILD =
            Document.files("pom.xml").stream().map(Document::read).collect(Collectors.joining());

    static List<Document.Block> examples() {
        return Document.all().stream()
                .flatMap(document -> Stream.concat(
                        document.blocks("sh", "shell", "bash").stream(), document.commandsInText().stream()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void aShellUnderstandsIt(Document.Block example) throws IOException, InterruptedException {
        assumeThat(BASH).isExecutable();
        Process shell = new ProcessBuilder(BASH.toString(), "-n")
                .redirectErrorStream(true)
                .start();
        try (var input = shell.getOutputStream()) {
            input.write(example.text().getBytes(StandardCharsets.UTF_8));
        }
        assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .as("what the shell says to %s", example)
                .isEmpty();
        assertThat(shell.waitFor()).isZero();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void whatItNamesExists(Document.Block example) {
        String text = example.text();
        assertThat(found(MODULES, text).flatMap(modules -> Stream.of(modules.split(","))))
                .as("modules at %s", example)
                .allSatisfy(module -> assertThat(Document.ROOT.resolve(module)).isDirectory());
        assertThat(found(TESTS, text).flatMap(tests -> Stream.of(tests.split(","))))
                .as("tests at %s", example)
                .allSatisfy(test -> assertThat(SOURCES).anyMatch(source -> source.endsWith("/" + test + ".java")));
        assertThat(found(PROFILES, text))
                .as("profiles at %s", example)
                .allMatch(profile -> profile.equals("native") || BUILD.contains("<id>" + profile + "</id>"));
        assertThat(found(MAIN_CLASSES, text)).as("main classes at %s", example).allSatisfy(main -> assertThat(SOURCES)
                .anyMatch(source -> source.endsWith("/java/" + main.replace('.', '/') + ".java")));
        assertThat(found(SCRIPTS, text)).as("files at %s", example).allSatisfy(file -> assertThat(
                        Files.exists(Document.ROOT.resolve(file)))
                .isTrue());
        assertThat(SETTINGS.matcher(text)
                        .results()
                        .map(setting -> String.valueOf(METADATA.problem(setting.group(1), setting.group(2)))))
                .as("settings at %s", example)
                .allMatch("null"::equals);
    }

    private static Stream<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map((MatchResult match) -> match.group(1));
    }
}
