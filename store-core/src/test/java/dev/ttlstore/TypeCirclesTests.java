package dev.ttlstore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static dev.ttlstore.contract.Assertions.assertThat;

/**
 * No more than three types of a package know each other in a circle, so that each package can be read from one end. What a type names in
 * its source counts, also the type around an imported member. A sealed parent and its children are one type. And no file is long.
 */
class TypeCirclesTests {

    private static final List<String> MODULES = List.of("store-core", "store-spring-boot-starter", "sample-app");
    private static final int LARGEST = 3;
    private static final int MOST_LINES = 350;
    private static final int MOST_PARAMETERS = 10;

    /** Properties and figures, each of which is read by its name. */
    private static final Set<String> PROPERTIES =
            Set.of("StoreProperties", "SecretsProperties", "StoreSettings", "StoreActivity");

    private static final Pattern NO_CODE = Pattern.compile(
            "(?s)/\\*.*?\\*/|//[^\\n]*|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])+'");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?([a-z0-9_.]+)\\.([A-Z][\\w.]*);");
    private static final Pattern NAME = Pattern.compile("(?<![\\w.])[A-Z]\\w*");
    private static final Pattern NESTED = Pattern.compile("<[^<>]*>|\\([^()]*\\)");

    /** The head of a constructor or a record: its type, and its parameters. */
    private static final Pattern CONSTRUCTOR = Pattern.compile("(?<!new )\\b([A-Z]\\w*)\\s*(?:<[^>(]*>)?"
            + "\\(([^(){};]*(?:\\([^()]*\\)[^(){};]*)*)\\)\\s*(?:(?:implements|throws)[^{]*)?\\{");

    private static final Pattern PERMITS = Pattern.compile("\\bpermits\\s+([\\w\\s,]+)\\{");

    @Test
    void noCircleOfTypesIsLarge() throws IOException {
        assertThat(largeCircles()).isEmpty();
    }

    private static List<String> largeCircles() throws IOException {
        List<String> circles = new ArrayList<>();
        for (String module : MODULES) {
            Path sources = sources(module);
            for (Path folder : foldersIn(sources)) {
                String name = sources.relativize(folder).toString().replace('/', '.');
                new Package(sourcesIn(folder))
                        .largeCircles()
                        .forEach(circle -> circles.add(name + ": " + String.join(", ", circle)));
            }
        }
        return circles;
    }

    private static Path sources(String module) {
        return Path.of("..", module, "src", "main", "java");
    }

    private static List<Path> foldersIn(Path root) throws IOException {
        try (Stream<Path> found = Files.walk(root)) {
            return found.filter(Files::isDirectory).toList();
        }
    }

    private static Map<String, String> sourcesIn(Path folder) throws IOException {
        Map<String, String> sources = new TreeMap<>();
        try (Stream<Path> found = Files.list(folder)) {
            for (Path file :
                    found.filter(each -> each.toString().endsWith(".java")).toList()) {
                String code = NO_CODE.matcher(Files.readString(file)).replaceAll("\"\"");
                sources.put(file.getFileName().toString().replace(".java", ""), code);
            }
        }
        return sources;
    }

    /** Comments and empty lines do not count; the remainder must be readable in one go. */
    @Test
    void noFileIsLong() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (String module : MODULES) {
            for (Path folder : foldersIn(sources(module))) {
                sourcesIn(folder).forEach((type, code) -> {
                    long lines = code.lines().filter(line -> !line.isBlank()).count();
                    if (lines > MOST_LINES) {
                        tooLong.add(type + ": " + lines);
                    }
                });
            }
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void noConstructorTakesMany() throws IOException {
        List<String> tooMany = new ArrayList<>();
        for (String module : MODULES) {
            for (Path folder : foldersIn(sources(module))) {
                for (String code : sourcesIn(folder).values()) {
                    CONSTRUCTOR
                            .matcher(code)
                            .results()
                            .filter(found -> parameters(found.group(2)) > MOST_PARAMETERS)
                            .map(found -> found.group(1))
                            .filter(type -> !PROPERTIES.contains(type))
                            .forEach(tooMany::add);
                }
            }
        }
        assertThat(tooMany).isEmpty();
    }

    private static long parameters(String list) {
        String outer = list;
        String before;
        do {
            before = outer;
            outer = NESTED.matcher(before).replaceAll("");
        } while (!outer.equals(before));
        return outer.isBlank() ? 0 : outer.chars().filter(c -> c == ',').count() + 1;
    }

    /** The types of a package and which of them each names. Circles are its strongly connected components (Tarjan, 1972). */
    private static final class Package {

        private final Map<String, String> sources;
        private final Map<String, Set<String>> names = new TreeMap<>();
        private final List<Set<String>> circles = new ArrayList<>();
        private final Map<String, Integer> order = new HashMap<>();
        private final Map<String, Integer> lowest = new HashMap<>();
        private final Deque<String> open = new ArrayDeque<>();

        Package(Map<String, String> sources) {
            this.sources = sources;
            sources.forEach((type, source) -> names.put(type, namesIn(type, source)));
        }

        private Set<String> namesIn(String type, String source) {
            Set<String> found = NAME.matcher(source)
                    .results()
                    .map(MatchResult::group)
                    .collect(Collectors.toCollection(TreeSet::new));
            List<MatchResult> imports = IMPORT.matcher(source).results().toList();
            imports.forEach(each -> found.remove(each.group(2).replaceFirst(".*\\.", "")));
            for (MatchResult each : imports) {
                if (source.startsWith("package " + each.group(1) + ";")) {
                    found.add(each.group(2).replaceFirst("\\..*", ""));
                }
            }
            found.retainAll(sources.keySet());
            found.remove(type);
            return found;
        }

        List<Set<String>> largeCircles() {
            for (String type : names.keySet()) {
                if (!order.containsKey(type)) {
                    visit(type);
                }
            }
            circles.removeIf(circle -> circle.size() <= LARGEST || isSealedFamily(circle));
            return circles;
        }

        private boolean isSealedFamily(Set<String> circle) {
            return circle.stream().anyMatch(parent -> familyOf(parent).containsAll(circle));
        }

        private Set<String> familyOf(String parent) {
            Set<String> family = new TreeSet<>(Set.of(parent));
            PERMITS.matcher(sources.getOrDefault(parent, "")).results().forEach(permits -> {
                for (String child : permits.group(1).strip().split("\\s*,\\s*")) {
                    family.addAll(familyOf(child));
                }
            });
            return family;
        }

        private void visit(String type) {
            int number = order.size();
            order.put(type, number);
            lowest.put(type, number);
            open.push(type);
            for (String other : names.getOrDefault(type, Set.of())) {
                if (!order.containsKey(other)) {
                    visit(other);
                    lowest.merge(type, lowest.getOrDefault(other, number), Math::min);
                } else if (open.contains(other)) {
                    lowest.merge(type, order.getOrDefault(other, number), Math::min);
                }
            }
            if (lowest.getOrDefault(type, -1) == number) {
                Set<String> circle = new TreeSet<>();
                String last;
                do {
                    last = open.pop();
                    circle.add(last);
                } while (!last.equals(type));
                circles.add(circle);
            }
        }
    }
}
