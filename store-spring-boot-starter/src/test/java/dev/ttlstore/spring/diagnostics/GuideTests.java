package dev.ttlstore.spring.diagnostics;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

/** Each failure analysis ends with the page that helps. */
class GuideTests {

    @ParameterizedTest
    @EnumSource
    void thePageExists(Guide guide) {
        assertThat(Path.of("..").resolve(guide.path())).isRegularFile();
    }

    @Test
    void thePageComesAfterTheAction() {
        assertThat(Guide.ENCRYPTION.after("Restore the keyset."))
                .isEqualTo("Restore the keyset. Read more in the documentation: " + Guide.ENCRYPTION.path());
        assertThat(Guide.ENCRYPTION.after(null)).startsWith("Read more");
    }

    @Test
    void eachAnalysisHasOne() {
        classes()
                .that()
                .haveSimpleNameEndingWith("FailureAnalyzer")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Guide.class)
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("dev.ttlstore.spring"));
    }
}
