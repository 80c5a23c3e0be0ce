package dev.ttlstore.spring.documents;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.ResolvableType;
import org.springframework.core.io.support.PropertiesLoaderUtils;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** The page about failures has an entry for each exception and each failure analysis of the starter. */
class TroubleshootingTests {

    private static final Path MAIN = Path.of("src/main/java");

    private final String page = GeneratedTable.read(Path.of("docs", "troubleshooting.md"));

    @Test
    void eachExceptionHasAnEntry() throws Exception {
        try (Stream<Path> files = Files.walk(MAIN)) {
            List<String> exceptions = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Exception.java"))
                    .map(name -> name.replace(".java", ""))
                    .toList();
            assertThat(exceptions).hasSizeGreaterThan(3).allSatisfy(name -> assertThat(page)
                    .contains("`" + name + "`"));
        }
    }

    /** An analysis is found by what it analyzes, or by its own name if that is an exception of everybody. */
    @Test
    void eachFailureAnalysisHasAnEntry() throws Exception {
        String[] analyzers = PropertiesLoaderUtils.loadAllProperties("META-INF/spring.factories")
                .getProperty(FailureAnalyzer.class.getName())
                .split(",");
        assertThat(analyzers).isNotEmpty();
        assertThat(Stream.of(analyzers).filter(name -> name.startsWith("dev.ttlstore.")))
                .allSatisfy(name -> {
                    Class<?> analyzer = ClassUtils.resolveClassName(name, null);
                    Class<?> failure = ResolvableType.forClass(analyzer)
                            .as(analyzer.getSuperclass())
                            .getGeneric()
                            .resolve(Object.class);
                    assertThat(page)
                            .containsAnyOf("`" + failure.getSimpleName() + "`", "`" + analyzer.getSimpleName() + "`");
                });
    }
}
