package dev.ttlstore;

import java.util.Set;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

import dev.ttlstore.engine.EngineProvider;
import dev.ttlstore.exception.StoreException;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** What may know what. */
@AnalyzeClasses(packages = "dev.ttlstore", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

    private static final String API = "dev.ttlstore";
    private static final String EVENT = "dev.ttlstore.event";
    private static final String EXPIRY = "dev.ttlstore.expiry..";
    private static final String COMMIT = "dev.ttlstore.commit..";
    private static final String DELIVERY = "dev.ttlstore.delivery..";
    private static final String ENGINE = "dev.ttlstore.engine";
    private static final String SQLITE = "dev.ttlstore.sqlite..";
    private static final String POSTGRESQL = "dev.ttlstore.postgresql..";

    @ArchTest
    static final ArchRule THE_STORE_KNOWS_NO_ENGINE_BY_NAME = noClasses()
            .that()
            .resideOutsideOfPackages(SQLITE, POSTGRESQL)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(SQLITE, POSTGRESQL);

    @ArchTest
    static final ArchRule SQLITE_KNOWS_NO_OTHER_ENGINE = noClasses()
            .that()
            .resideInAPackage(SQLITE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(POSTGRESQL);

    @ArchTest
    static final ArchRule POSTGRESQL_KNOWS_NO_OTHER_ENGINE = noClasses()
            .that()
            .resideInAPackage(POSTGRESQL)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(SQLITE)
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule AN_ENGINE_KNOWS_NEITHER_DECISIONS_NOR_EVENTS = noClasses()
            .that()
            .resideInAnyPackage(SQLITE, POSTGRESQL)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(COMMIT, DELIVERY, EVENT, EXPIRY);

    @ArchTest
    static final ArchRule AN_ENGINE_TAKES_NOTHING_BUT_EXCEPTIONS_FROM_THE_API = classes()
            .that()
            .resideInAnyPackage(SQLITE, POSTGRESQL)
            .should()
            .onlyDependOnClassesThat(DescribedPredicate.describe(
                    "are no part of the API, or exceptions",
                    type -> !type.getPackageName().equals(API) || type.isAssignableTo(StoreException.class)));

    @ArchTest
    static final ArchRule EVENTS_KNOW_NOTHING_OF_OURS_ABOVE_THEM = onlyItselfOfOurs(EVENT);

    @ArchTest
    static final ArchRule DURABLE_EXPIRY_KNOWS_NOTHING_OF_OURS_ABOVE_IT = onlyItselfOfOurs("dev.ttlstore.expiry");

    @ArchTest
    static final ArchRule COMMITS_KNOW_NOTHING_OF_DELIVERIES = noClasses()
            .that()
            .resideInAPackage(COMMIT)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(DELIVERY);

    @ArchTest
    static final ArchRule THE_ENGINE_SPI_KNOWS_NOTHING_OF_OURS_ABOVE_IT = onlyItselfOfOurs(ENGINE);

    @ArchTest
    static final ArchRule NOTHING_KNOWS_SPRING =
            noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework..");

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().assignedFrom(new PackageSlices()).should().beFreeOfCycles();

    @ArchTest
    static final ArchRule SQL_STAYS_IN_THE_ENGINES = noClasses()
            .that()
            .resideOutsideOfPackages(SQLITE, POSTGRESQL)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..", "org.sqlite..", "org.postgresql..");

    @ArchTest
    static final ArchRule CAFFEINE_CAN_BE_LEFT_OUT_SINCE_ONE_CLASS_NEEDS_IT = noClasses()
            .that()
            .haveNameNotMatching("dev\\.ttlstore\\.commit\\.NearCache(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.github.benmanes..");

    @ArchTest
    static final ArchRule OF_AN_ENGINE_ONLY_ITS_PROVIDER_IS_PUBLIC = classes()
            .that()
            .resideInAnyPackage(SQLITE, POSTGRESQL)
            .and()
            .arePublic()
            .should()
            .beAssignableTo(EngineProvider.class);

    @ArchTest
    static final ArchRule WHAT_USERS_SEE_SHOWS_NOTHING_OF_THE_MACHINERY = classes()
            .that()
            .resideInAnyPackage(API, EVENT, EXPIRY)
            .and()
            .arePublic()
            .should(showOnlyWhatUsersSee());

    @ArchTest
    static final ArchRule CLASSES_ARE_FINAL = classes()
            .that()
            .areNotInterfaces()
            .and()
            .areNotEnums()
            .and()
            .doNotHaveFullyQualifiedName(StoreException.class.getName())
            .and(DescribedPredicate.describe(
                    "are not sealed", type -> !type.reflect().isSealed()))
            .and()
            .areTopLevelClasses()
            .and()
            .doNotHaveSimpleName("package-info")
            .should()
            .haveModifier(JavaModifier.FINAL);

    private static ArchRule onlyItselfOfOurs(String name) {
        return classes()
                .that()
                .resideInAPackage(name)
                .should()
                .onlyDependOnClassesThat(DescribedPredicate.describe(
                        "are of " + name + " or not ours",
                        type -> type.getPackageName().equals(name)
                                || !type.getPackageName().startsWith("dev.ttlstore")));
    }

    private static ArchCondition<JavaClass> showOnlyWhatUsersSee() {
        Set<String> seen = Set.of(API, EVENT, "dev.ttlstore.expiry");
        return new ArchCondition<>("have no public method or constructor that names a class of the machinery") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (JavaMember member : type.getMembers()) {
                    boolean visible = member.getModifiers().contains(JavaModifier.PUBLIC)
                            || member.getModifiers().contains(JavaModifier.PROTECTED);
                    if (visible
                            && shown(member)
                                    .anyMatch(other -> isOurs(other) && !seen.contains(other.getPackageName()))) {
                        events.add(SimpleConditionEvent.violated(member, member.getFullName() + " shows machinery"));
                    }
                }
            }
        };
    }

    private static Stream<JavaClass> shown(JavaMember member) {
        return member.getAllInvolvedRawTypes().stream();
    }

    private static boolean isOurs(JavaClass type) {
        return type.getPackageName().startsWith("dev.ttlstore");
    }
}
