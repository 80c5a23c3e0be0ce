package dev.ttlstore.sample;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

/** The packages of the sample depend on each other in one direction. */
@AnalyzeClasses(packages = "dev.ttlstore.sample", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

    @ArchTest
    static final ArchRule packagesBuildOnEachOtherInOneDirection = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("web")
            .definedBy("dev.ttlstore.sample.web")
            .layer("team")
            .definedBy("dev.ttlstore.sample.team")
            .layer("secrets")
            .definedBy("dev.ttlstore.sample.secrets")
            .layer("operator")
            .definedBy("dev.ttlstore.sample.operator")
            .whereLayer("team")
            .mayOnlyBeAccessedByLayers("secrets", "operator")
            .whereLayer("secrets")
            .mayOnlyBeAccessedByLayers("operator")
            .whereLayer("operator")
            .mayNotBeAccessedByAnyLayer();
}
