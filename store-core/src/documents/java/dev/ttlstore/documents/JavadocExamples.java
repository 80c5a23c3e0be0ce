package dev.ttlstore.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Compiles the examples of Javadoc. What a reader finds around an example is the API of its package, the imports of its file, common
 * imports, a {@code store}, a {@code dataSource} and a {@code log}. Everything else is in the example. It may be statements, or members
 * of a class, whichever the compiler understands, or understands more of.
 */
final class JavadocExamples {

    private static final String CLASS = """
            class %s {
            dev.ttlstore.Store store;
            javax.sql.DataSource dataSource;
            org.slf4j.Logger log;
            """;

    private final SnippetCompiler compiler = new SnippetCompiler();
    private final Path classes;
    private final List<String> packages;

    /**
     * Creates a check.
     *
     * @param classes an empty folder, for the classes
     * @param packages the packages and classes that need no import, as they are imported
     */
    JavadocExamples(Path classes, List<String> packages) {
        this.classes = classes;
        this.packages = packages;
    }

    /** Returns what is wrong with examples: their files, their lines, and what the compiler says. */
    List<String> problems(List<Snippet> snippets) {
        List<SnippetSource> statements = snippets.stream()
                .map(snippet -> source(snippet, "void example() throws Exception {\n", "}}\n"))
                .toList();
        List<SnippetSource> members =
                snippets.stream().map(snippet -> source(snippet, "", "}\n")).toList();
        Map<SnippetSource, Integer> failedAt = compiler.failedAt(statements);
        failedAt.putAll(compiler.failedAt(members));
        List<String> problems = new ArrayList<>();
        List<SnippetSource> sources = new ArrayList<>();
        for (int i = 0; i < snippets.size(); i++) {
            Snippet snippet = snippets.get(i);
            int statementsUpTo = failedAt.getOrDefault(statements.get(i), Integer.MAX_VALUE);
            int membersUpTo = failedAt.getOrDefault(members.get(i), Integer.MAX_VALUE);
            if (snippet.language().equals("java")) {
                sources.add(membersUpTo > statementsUpTo ? members.get(i) : statements.get(i));
            } else if (Math.max(statementsUpTo, membersUpTo) == Integer.MAX_VALUE) {
                problems.add(snippet.page() + ":" + snippet.line() + ": this is Java and not " + snippet.language());
            }
        }
        problems.addAll(compiler.compile(sources, classes, "-Xlint:deprecation,rawtypes,removal,unchecked"));
        return problems;
    }

    private SnippetSource source(Snippet snippet, String before, String after) {
        List<String> head = head(snippet.page());
        String itsPackage = head.stream()
                .filter(line -> line.startsWith("package "))
                .map(line -> line.substring("package ".length(), line.length() - 1))
                .findFirst()
                .orElse("unnamed");
        String imports = head.stream()
                        .filter(line -> line.startsWith("import "))
                        .collect(Collectors.joining("\n"))
                + packages.stream().map(name -> "\nimport " + name + ";").collect(Collectors.joining());
        return new SnippetSource(
                "example/" + itsPackage.replace('.', '/') + "/" + snippet.className() + ".java",
                snippet,
                "package example." + itsPackage + ";\nimport " + itsPackage + ".*;\n" + imports + "\n"
                        + CLASS.formatted(snippet.className()) + before,
                after);
    }

    private static List<String> head(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
