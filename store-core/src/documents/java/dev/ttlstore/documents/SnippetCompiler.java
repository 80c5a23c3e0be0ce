package dev.ttlstore.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.util.JavacTask;

/** Compiles examples together, because starting the compiler takes longer than its work. */
final class SnippetCompiler {

    /** Otherwise an example with a syntax error hides what is wrong with the others. */
    private static final String ALL_ERRORS = "-XDshould-stop.ifError=FLOW";

    private static final JavaCompiler COMPILER = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());

    /** Kept open, because opening the class path takes longer than compiling a few examples. */
    private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

    /**
     * Compiles examples.
     *
     * @param sources the completed examples
     * @param classes the folder for the classes
     * @param options more options of the compiler
     * @return each error and warning, with the page and the line
     */
    List<String> compile(List<SnippetSource> sources, Path classes, String... options) {
        if (sources.isEmpty()) {
            return List.of();
        }
        DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
        boolean done = task(sources, messages, Stream.concat(Stream.of("-d", classes.toString()), Stream.of(options)))
                .call();
        List<String> problems = messages.getDiagnostics().stream()
                .filter(message -> message.getKind() != Diagnostic.Kind.NOTE)
                .map(SnippetCompiler::describe)
                .toList();
        return done || !problems.isEmpty() ? problems : List.of("The compiler failed and did not say why");
    }

    /**
     * Parses examples.
     *
     * @param sources the completed examples
     * @return the line of each example, from one, where the compiler no longer understands it; those that it understands are missing
     */
    Map<SnippetSource, Integer> failedAt(List<SnippetSource> sources) {
        DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
        try {
            task(sources, messages, Stream.of()).parse();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<SnippetSource, Integer> lines = new HashMap<>();
        for (Diagnostic<? extends JavaFileObject> message : messages.getDiagnostics()) {
            if (message.getSource() instanceof SnippetSource source) {
                lines.merge(source, source.line(message), Math::min);
            }
        }
        return lines;
    }

    private JavacTask task(
            List<SnippetSource> sources, DiagnosticCollector<JavaFileObject> messages, Stream<String> options) {
        List<String> all = Stream.concat(
                        Stream.of("-proc:none", ALL_ERRORS, "-cp", System.getProperty("java.class.path")), options)
                .toList();
        return (JavacTask) COMPILER.getTask(null, FILES, messages, all, null, sources);
    }

    private static String describe(Diagnostic<? extends JavaFileObject> message) {
        return message.getSource() instanceof SnippetSource source ? source.describe(message) : message.toString();
    }
}
