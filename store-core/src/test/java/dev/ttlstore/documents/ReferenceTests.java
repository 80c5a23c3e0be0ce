package dev.ttlstore.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.StoreBuilder;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.sqlite.Sqlite;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What the pages refer to exists: other pages, their sections, types, tests, benchmarks, exceptions. */
class ReferenceTests {

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```$");
    private static final Pattern TEST = Pattern.compile("-Dtest='?([\\w,*]+)");
    private static final Pattern MAIN = Pattern.compile("-Dbenchmarks\\.main=(dev\\.ttlstore\\.[\\w.]+)");

    private static final Pattern TYPE = Pattern.compile("`([A-Z][a-z]\\w+)(?:\\.(\\w+))?(?:\\([^`]*\\))?`");

    private static final Pattern SETTINGS = Pattern.compile("(?ms)^## Settings$(.*?)(?:^## |\\z)");
    private static final Pattern FIRST_CELL = Pattern.compile("(?m)^\\|([^|]*)\\|[^|]*\\|[^|]*\\|$");
    private static final Pattern SETTING = Pattern.compile("`(?:Sqlite\\.|PostgreSql\\.)?(\\w+)(?:\\([^`]*)?`");

    static List<Path> pages() throws IOException {
        return Pages.all();
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(result -> result.group(1)).toList();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkLeadsToAPageAndASection(Path page) throws IOException {
        assertThat(found(LINK, Files.readString(page)))
                .filteredOn(link -> !link.startsWith("http"))
                .allSatisfy(link -> {
                    String[] parts = link.split("#", 2);
                    Path target = parts[0].isEmpty()
                            ? page
                            : page.resolveSibling(parts[0]).normalize();
                    assertThat(target).exists();
                    if (parts.length > 1) {
                        assertThat(sections(target)).contains(parts[1]);
                    }
                });
    }

    /** The names that GitHub gives to sections. */
    private static Set<String> sections(Path page) throws IOException {
        Set<String> names = new HashSet<>();
        String text = FENCE.matcher(Files.readString(page)).replaceAll("");
        for (MatchResult heading :
                Pattern.compile("(?m)^#+ (.*)$").matcher(text).results().toList()) {
            String name = heading.group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                    .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                    .replace(' ', '-');
            for (int i = 0; !names.add(i == 0 ? name : name + "-" + i); i++) {}
        }
        return names;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyTestAndBenchmarkThatIsNamedExists(Path page) throws IOException {
        String text = Files.readString(page);
        assertThat(found(TEST, text)).allSatisfy(names -> {
            for (String name : names.split(",")) {
                assertThat(sources("src", name.replace("*", ".*") + "\\.java")).isNotEmpty();
            }
        });
        assertThat(found(MAIN, text)).allSatisfy(name -> {
            String file = ".*/" + name.replace('.', '/') + "\\.java";
            assertThat(sources("..", file)).isNotEmpty();
        });
    }

    @Test
    void everyTypeThatTheDesignNamesExistsAndHasWhatItNamesOfIt() throws IOException {
        String design = Files.readString(Path.of("DESIGN.md"));
        List<Path> sources = new ArrayList<>(sources("src", "\\w+\\.java"));
        sources.addAll(sources("../store-spring-boot-starter/src/main", "\\w+\\.java"));
        assertThat(TYPE.matcher(design)
                        .results()
                        .filter(name -> !isOfJava(name.group(1)) && !isIn(sources, name.group(1), name.group(2)))
                        .map(MatchResult::group))
                .isEmpty();
    }

    /** There may be types of the same name in several packages. */
    private static boolean isIn(List<Path> sources, String type, @Nullable String member) {
        return sources.stream()
                .filter(file -> file.endsWith(type + ".java"))
                .anyMatch(file -> member == null || contains(file, Pattern.compile("\\b" + member + "\\b")));
    }

    private static boolean contains(Path file, Pattern pattern) {
        try {
            return pattern.matcher(Files.readString(file)).find();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOfJava(String name) {
        return Stream.of("java.lang.", "java.util.", "javax.sql.").anyMatch(folder -> {
            try {
                return Class.forName(folder + name) != null;
            } catch (ClassNotFoundException e) {
                return false;
            }
        });
    }

    private static List<Path> sources(String folder, String name) throws IOException {
        Predicate<String> matches = Pattern.compile(name).asMatchPredicate();
        boolean whole = name.contains("/");
        try (Stream<Path> files = Files.walk(Path.of(folder))) {
            return files.filter(file -> matches.test(
                            whole ? file.toString() : file.getFileName().toString()))
                    .toList();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {StoreBuilder.class, Sqlite.class, PostgreSql.class})
    void everySettingIsDefinedOnOnePage(Class<?> builder) throws IOException {
        List<String> defined = new ArrayList<>();
        for (Path page : Pages.all()) {
            for (String section : found(SETTINGS, Files.readString(page))) {
                found(FIRST_CELL, section).forEach(cell -> defined.addAll(found(SETTING, cell)));
            }
        }
        assertThat(Stream.of(builder.getMethods())
                        .filter(method -> !Modifier.isStatic(method.getModifiers()))
                        .filter(method -> method.getReturnType() == builder)
                        .map(Method::getName))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(defined).filteredOn(name::equals).hasSize(1));
    }

    @Test
    void troubleshootingHasAnEntryForEveryException() throws IOException {
        String page = Files.readString(Path.of("docs/troubleshooting.md"));
        assertThat(sources("src/main/java/dev/ttlstore/exception", "\\w+Exception\\.java"))
                .allSatisfy(file -> {
                    String name = file.getFileName().toString().replace(".java", "");
                    assertThat(page).contains("`" + name + "`");
                });
    }
}
