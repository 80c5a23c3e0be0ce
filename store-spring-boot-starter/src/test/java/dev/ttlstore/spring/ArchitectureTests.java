package dev.ttlstore.spring;

import org.springframework.boot.context.properties.ConfigurationProperties;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.DiskFiles;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.engine.support.Thrown;
import dev.ttlstore.engine.support.WorkerThread;
import dev.ttlstore.spring.autoconfigure.BuilderSettings;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** The rules of the starter's packages. */
@AnalyzeClasses(packages = "dev.ttlstore.spring", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

    private static final String PACKAGE = "dev.ttlstore.spring.autoconfigure.";

    @ArchTest
    static final ArchRule packagesAreFreeOfCycles =
            slices().matching("dev.ttlstore.spring.(*)..").should().beFreeOfCycles();

    /** Threads, how retries are logged, and how files are created, are as little of the store as the JDK's own classes are. */
    @ArchTest
    static final ArchRule onlyTheStoresApiIsUsed = noClasses()
            .should()
            .dependOnClassesThat(resideInAnyPackage("dev.ttlstore.internal..", "dev.ttlstore.engine..")
                    .and(not(belongToAnyOf(
                            RetryLog.class,
                            BackgroundThreads.class,
                            WorkerThread.class,
                            DiskFiles.class,
                            Thrown.class))));

    /** Its properties are those of {@code store.sqlite}; nothing else is tied to one engine. */
    @ArchTest
    static final ArchRule oneClassConfiguresTheEmbeddedEngine = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(BuilderSettings.class.getName())
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.ttlstore.sqlite..");

    /** Its properties are those of {@code store.postgresql}. */
    @ArchTest
    static final ArchRule oneClassConfiguresTheSharedEngine = noClasses()
            .that()
            .haveNameNotMatching(".*PostgreSqlConfigurer(\\$.*)?")
            .and()
            .doNotHaveFullyQualifiedName(PACKAGE + "ConfiguredStore")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.ttlstore.postgresql..");

    /** They find the application's data source and hand it on. */
    @ArchTest
    static final ArchRule fewClassesTouchADataSource = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(PACKAGE + "ConfiguredStore")
            .and()
            .doNotHaveFullyQualifiedName(PACKAGE + "StoreDataSources")
            .and()
            .haveNameNotMatching(
                    ".*(TransactionAwareSource|RoutingSource|OwnConnections|PostgreSqlConfigurer|SpringTransactions?)(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("javax.sql..");

    /** Coverage leaves out what is named like a test. */
    @ArchTest
    static final ArchRule nothingIsNamedLikeATest = noClasses().should().haveNameMatching(".*(Tests|Contract)(\\$.*)?");

    /** Properties that are set in a file have their names there. */
    @ArchTest
    static final ArchRule noConstructorHasMoreThanTenParameters = constructors()
            .that()
            .areDeclaredInClassesThat()
            .areNotAnnotatedWith(ConfigurationProperties.class)
            .should()
            .haveRawParameterTypes(DescribedPredicate.describe("at most ten", types -> types.size() <= 10));

    /** They hand the connection of a transaction to the store, and end it. */
    @ArchTest
    static final ArchRule twoClassesTouchAConnection = noClasses()
            .that()
            .haveNameNotMatching(".*\\.transaction\\.(SpringTransaction|ConnectionCleanup)(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.sql..");

    /** Applications run without Spring's test support, which is there in their tests alone. */
    @ArchTest
    static final ArchRule theRestDoesWithoutTestSupport = noClasses()
            .that()
            .resideOutsideOfPackage("dev.ttlstore.spring.test..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework.test..", "org.springframework.boot.test..");

    /** So that the rest of the starter works without it. */
    @ArchTest
    static final ArchRule fewPackagesTouchSpringIntegration = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.ttlstore.spring.lock..",
                    "dev.ttlstore.spring.messagestore..",
                    "dev.ttlstore.spring.metadata..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.springframework.integration..");

    /** Its messages are translated in one place. */
    @ArchTest
    static final ArchRule onePackageTouchesSpringAi = noClasses()
            .that()
            .resideOutsideOfPackage("dev.ttlstore.spring.chatmemory..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.springframework.ai..");
}
