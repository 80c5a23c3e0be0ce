package dev.ttlstore.documents;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

/** The Java examples of all pages, compiled together, because starting the compiler takes longer than its work. */
final class CompiledSnippets {

    private static final String IMPORTS = """
            package dev.ttlstore.documents;
            import dev.ttlstore.*;
            import dev.ttlstore.event.*;
            import dev.ttlstore.exception.*;
            import dev.ttlstore.expiry.*;
            import dev.ttlstore.export.*;
            import dev.ttlstore.jcache.*;
            import dev.ttlstore.postgresql.*;
            import dev.ttlstore.sqlite.*;
            import dev.ttlstore.verification.*;
            import java.io.*;
            import java.nio.file.*;
            import java.time.*;
            import java.util.*;
            import java.util.concurrent.*;
            import java.util.function.*;
            import javax.cache.*;
            import javax.cache.configuration.MutableConfiguration;
            import javax.cache.expiry.CreatedExpiryPolicy;
            import javax.cache.spi.CachingProvider;
            import javax.sql.DataSource;
            import org.awaitility.Awaitility;
            import dev.ttlstore.contract.AesGcm;
            import dev.ttlstore.contract.StoreContract;
            import dev.ttlstore.engine.tree.TreeEngine;
            import java.time.Duration;
            import static org.assertj.core.api.Assertions.*;
            import static dev.ttlstore.contract.Assertions.assertThat;
            @SuppressWarnings("all")
            public class %s extends Example {
                @Override protected void run() throws Exception {
            """;

    private final Path folder;
    private final URLClassLoader loader;

    CompiledSnippets(Path folder, List<Snippet> snippets) throws IOException {
        this.folder = folder;
        Path classes = Files.createDirectory(folder.resolve("classes"));
        List<String> problems = new SnippetCompiler()
                .compile(snippets.stream().map(this::source).toList(), classes, "-nowarn");
        if (!problems.isEmpty()) {
            throw new AssertionError("An example does not compile:\n" + String.join("\n", problems));
        }
        this.loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, CompiledSnippets.class.getClassLoader());
    }

    void run(Snippet snippet) throws Exception {
        Files.createDirectories(folder(snippet));
        if (!snippet.isWholeFile()) {
            Class<?> type = loader.loadClass("dev.ttlstore.documents." + snippet.className());
            ((Example) type.getConstructor().newInstance()).runIn(folder(snippet));
            return;
        }
        Class<?> type = loader.loadClass(snippet.className());
        for (Method method : type.getDeclaredMethods()) {
            method.setAccessible(true);
            if (method.isAnnotationPresent(Test.class)) {
                var constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                method.invoke(constructor.newInstance());
            } else if (method.getName().equals("main")) {
                method.invoke(null, (Object) new String[0]);
            }
        }
    }

    /** The files of an example are in a folder of its own, and its tables in a schema of its own. */
    private SnippetSource source(Snippet snippet) {
        Snippet own = snippet.withCode(snippet.code()
                .replaceAll("Path\\.of\\(\"", "Path.of(\"" + folder(snippet) + "/")
                .replace("\"ttl_store\"", "schema()"));
        return snippet.isWholeFile()
                ? new SnippetSource(snippet.className() + ".java", own, "", "")
                : new SnippetSource(
                        "dev/ttlstore/documents/" + snippet.className() + ".java",
                        own,
                        IMPORTS.formatted(snippet.className()) + snippet.given() + "\n",
                        snippet.then() + "\n} }\n");
    }

    private Path folder(Snippet snippet) {
        return folder.resolve(snippet.page().getFileName() + "-" + snippet.line());
    }
}
