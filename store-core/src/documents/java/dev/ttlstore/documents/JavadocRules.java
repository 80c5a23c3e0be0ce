package dev.ttlstore.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What the Javadoc of a module keeps to, read from the sources. */
public abstract class JavadocRules {

    private static final Path MAIN = Path.of("src", "main");

    private static final Pattern PUBLIC_TYPE = Pattern.compile(
            "^public (?:[a-z-]+ )*?(?<kind>class|interface|record|enum|@interface) (?<name>\\w+)", Pattern.MULTILINE);

    private static final Pattern SINCE = Pattern.compile("^ \\* @since \\d+\\.\\d+$", Pattern.MULTILINE);

    /** Words that make a reader begin the sentence again, and a condition that stands between a verb and what belongs to it. */
    private static final Pattern TWISTED =
            Pattern.compile("(?i)\\b(?:is told|are told|anew|whoever|of which|of whom|thereof)\\b"
                    + "|\\bif [^.,]{1,60} with an? (?:expiry|ttl), as\\b");

    private static final Set<String> CALLED = Set.of("class", "interface", "@interface");

    @TempDir
    private Path folder;

    private final List<String> packages;
    private final Set<String> withoutExample;
    private final Pattern notForApplications;

    /**
     * Creates the rules of a module.
     *
     * @param packages the packages and classes that examples use without an import
     * @param withoutExample the types that need no example; each is public and has none
     * @param notForApplications the names of types, with their packages, that applications neither call nor implement
     */
    protected JavadocRules(List<String> packages, Set<String> withoutExample, Pattern notForApplications) {
        this.packages = packages;
        this.withoutExample = withoutExample;
        this.notForApplications = notForApplications;
    }

    /** A public type in a file of its own. */
    private record PublicType(Path file, String kind, String name, String head) {

        static Stream<PublicType> in(Path file) {
            String text = text(file);
            Matcher type = PUBLIC_TYPE.matcher(text);
            return type.find()
                    ? Stream.of(new PublicType(file, type.group("kind"), name(file), text.substring(0, type.start())))
                    : Stream.empty();
        }

        private static String name(Path file) {
            String path = MAIN.resolve("java").relativize(file).toString();
            return path.replace(".java", "").replace('/', '.').replace('\\', '.');
        }
    }

    private static List<Path> sources(String language, String end) throws IOException {
        Path root = MAIN.resolve(language);
        if (!Files.exists(root)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
        }
    }

    private static List<PublicType> publicTypes() throws IOException {
        return sources("java", ".java").stream()
                .filter(file -> !file.toString().matches(".*[/\\\\]internal[/\\\\].*"))
                .flatMap(PublicType::in)
                .toList();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void eachPublicTypeSaysSinceWhenItExists() throws IOException {
        assertThat(publicTypes())
                .isNotEmpty()
                .filteredOn(type -> !SINCE.matcher(type.head).find())
                .as("public types without '@since' and a release in their Javadoc")
                .extracting(PublicType::name)
                .isEmpty();
    }

    @Test
    void eachCommentReadsInOnePass() throws IOException {
        List<String> twisted = new ArrayList<>();
        for (Path file : Stream.concat(sources("java", ".java").stream(), sources("kotlin", ".kt").stream())
                .toList()) {
            int number = 0;
            for (String line : text(file).lines().toList()) {
                number++;
                if (TWISTED.matcher(line).find()) {
                    twisted.add(file + ":" + number + ": " + line.strip());
                }
            }
        }
        assertThat(twisted).as("lines that %s matches", TWISTED).isEmpty();
    }

    @Test
    void eachExampleCompiles() throws IOException {
        List<Snippet> examples = new ArrayList<>();
        for (Path file : sources("java", ".java")) {
            examples.addAll(JavadocSnippets.of(file));
        }
        assertThat(examples).hasSizeGreaterThan(20);
        assertThat(new JavadocExamples(folder, packages).problems(examples)).isEmpty();
    }

    /** Nothing compiles them. Those of pages are parts of tests. */
    @Test
    void noExampleIsInKotlin() throws IOException {
        assertThat(sources("kotlin", ".kt"))
                .allSatisfy(file -> assertThat(text(file)).doesNotContain("```"));
    }

    @Test
    void eachTypeThatApplicationsCallHasAnExample() throws IOException {
        List<String> without = new ArrayList<>();
        for (PublicType type : publicTypes()) {
            if (CALLED.contains(type.kind)
                    && !notForApplications.matcher(type.name).matches()
                    && JavadocSnippets.of(type.file).isEmpty()) {
                without.add(type.name);
            }
        }
        assertThat(without)
                .as("types without an example in their Javadoc, which may only become fewer")
                .containsExactlyInAnyOrderElementsOf(withoutExample);
    }
}
