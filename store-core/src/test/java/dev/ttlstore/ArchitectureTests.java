package dev.ttlstore;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

import dev.ttlstore.engine.EngineFactory;
import dev.ttlstore.engine.EngineProvider;
import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.BytePermits;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.engine.support.DiskFiles;
import dev.ttlstore.engine.support.EarlyClasses;
import dev.ttlstore.engine.support.NotAttemptedException;
import dev.ttlstore.engine.support.OnDemandThread;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.engine.support.Thrown;
import dev.ttlstore.engine.support.WorkerThread;
import dev.ttlstore.exception.StoreException;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static dev.ttlstore.contract.Assertions.assertThat;

/** What may know what. */
@AnalyzeClasses(packages = "dev.ttlstore", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

    private static final String API = "dev.ttlstore";
    private static final String EVENT = "dev.ttlstore.event";
    private static final String EXPIRY = "dev.ttlstore.expiry";
    private static final String EXCEPTION = "dev.ttlstore.exception";
    private static final String TRANSACTION = "dev.ttlstore.transaction";
    private static final String VERIFICATION = "dev.ttlstore.verification";
    private static final String SERIALIZATION = "dev.ttlstore.serialization";
    private static final String JCACHE = "dev.ttlstore.jcache";
    private static final String EXPORT = "dev.ttlstore.export";
    private static final String CLI = "dev.ttlstore.cli";
    private static final String KOTLIN = "dev.ttlstore.kotlin";
    private static final String INTERNAL = "dev.ttlstore.internal.";
    private static final String BASE = INTERNAL + "base";
    private static final String CACHE = INTERNAL + "cache";
    private static final String WATCH = INTERNAL + "watch";
    private static final String COMMIT = INTERNAL + "commit";
    private static final String PURGE = INTERNAL + "purge";
    private static final String DELIVERY = INTERNAL + "delivery";
    private static final String VALUE = INTERNAL + "value";
    private static final String ACCESS = INTERNAL + "access";
    private static final String COPY = INTERNAL + "copy";
    private static final String STORE = INTERNAL + "store";
    private static final String ENGINE = "dev.ttlstore.engine";
    private static final String SUPPORT = "dev.ttlstore.engine.support";
    private static final String DECIDING = "dev.ttlstore.engine.commit";

    /** What the API takes from the SPI: how an engine is opened, and the rules for names and times. */
    private static final Set<String> SHARED_WITH_ENGINES =
            Set.of("EngineFactory", "EngineProvider", "Millis", "Names", "Namespaces", "Utf8", "StoredNumbers");

    /** Everybody may have threads, bound a queue, log failures, create files, and so on. These are as little of the store as the JDK. */
    private static final Set<Class<?>> BASICS = Set.of(
            BackgroundThreads.class,
            Deadline.class,
            DiskFiles.class,
            EarlyClasses.class,
            NotAttemptedException.class,
            OnDemandThread.class,
            RetryLog.class,
            BytePermits.class,
            SafeLog.class,
            Thrown.class,
            WorkerThread.class);

    private static final String SQLITE = "dev.ttlstore.sqlite..";
    private static final String POSTGRESQL = "dev.ttlstore.postgresql..";

    @ArchTest
    static final ArchTests EARLY_CLASSES = ArchTests.in(EarlyClassesRules.class);

    @ArchTest
    static final ArchRule THE_STORE_KNOWS_NO_ENGINE_BY_NAME = noClasses()
            .that()
            .resideOutsideOfPackages(SQLITE, POSTGRESQL, CLI)
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
    static final ArchRule AN_ENGINE_KNOWS_THE_SPI_AND_EXCEPTIONS = classes()
            .that()
            .resideInAnyPackage(SQLITE, POSTGRESQL)
            .should()
            .onlyDependOnClassesThat(isOneOf(Set.of(
                    "dev.ttlstore.sqlite",
                    "dev.ttlstore.postgresql",
                    ENGINE,
                    DECIDING,
                    SUPPORT,
                    EXCEPTION,
                    TRANSACTION,
                    VERIFICATION)));

    @ArchTest
    static final ArchRule THE_API_KNOWS_NO_IMPLEMENTATION = classes()
            .that()
            .resideInAPackage(API)
            .should()
            .onlyDependOnClassesThat(isOneOf(Set.of(API, EVENT, EXPIRY, EXCEPTION, VERIFICATION))
                    .or(DescribedPredicate.describe(
                            "are one of " + SHARED_WITH_ENGINES,
                            type -> type.getPackageName().equals(ENGINE)
                                    && SHARED_WITH_ENGINES.contains(type.getSimpleName()))));

    @ArchTest
    static final ArchRule EXCEPTIONS_KNOW_NOTHING_ELSE_OF_OURS = knowsOnly(EXCEPTION);

    @ArchTest
    static final ArchRule EVENTS_KNOW_NOTHING_OF_OURS_ABOVE_THEM = knowsOnly(EVENT);

    @ArchTest
    static final ArchRule DURABLE_EXPIRY_KNOWS_NOTHING_OF_OURS_ABOVE_IT = knowsOnly(EXPIRY);

    @ArchTest
    static final ArchRule THE_BASE_KNOWS_NO_OTHER_INTERNAL_PACKAGE = knowsOnly(BASE, API, EVENT, EXCEPTION, ENGINE);

    @ArchTest
    static final ArchRule THE_CACHE_KNOWS_ROWS_ONLY = knowsOnly(CACHE, EXCEPTION, ENGINE);

    @ArchTest
    static final ArchRule WATCHES_KNOW_NEITHER_ROWS_NOR_COMMITS = knowsOnly(WATCH, API, EVENT, EXCEPTION, BASE);

    @ArchTest
    static final ArchRule COMMITS_KNOW_NEITHER_PURGES_NOR_DELIVERIES =
            knowsOnly(COMMIT, API, EVENT, EXCEPTION, TRANSACTION, ENGINE, DECIDING, SUPPORT, BASE, CACHE, WATCH);

    @ArchTest
    static final ArchRule PURGES_GO_THROUGH_COMMITS = knowsOnly(PURGE, API, EVENT, EXCEPTION, ENGINE, BASE, COMMIT);

    @ArchTest
    static final ArchRule DELIVERIES_GO_THROUGH_COMMITS =
            knowsOnly(DELIVERY, API, EXPIRY, EXCEPTION, ENGINE, BASE, COMMIT);

    @ArchTest
    static final ArchRule VALUES_KNOW_ROWS_ONLY = knowsOnly(VALUE, API, EXCEPTION, ENGINE);

    @ArchTest
    static final ArchRule ACCESS_KNOWS_NEITHER_GROUPS_NOR_STORES =
            knowsOnly(ACCESS, API, EVENT, EXCEPTION, ENGINE, DECIDING, BASE, CACHE, WATCH, COMMIT, VALUE);

    @ArchTest
    static final ArchRule COPIES_KNOW_ROWS_ONLY = knowsOnly(COPY, API, EXCEPTION, ENGINE);

    @ArchTest
    static final ArchRule STORES_KNOW_NO_ENGINE = knowsOnly(
            STORE,
            API,
            EVENT,
            EXPIRY,
            EXCEPTION,
            VERIFICATION,
            ENGINE,
            BASE,
            CACHE,
            WATCH,
            COMMIT,
            PURGE,
            DELIVERY,
            VALUE,
            ACCESS,
            COPY);

    @ArchTest
    static final ArchRule ENGINE_SUPPORT_KNOWS_THE_SPI = knowsOnly(SUPPORT, ENGINE, EXCEPTION, VERIFICATION);

    @ArchTest
    static final ArchRule DECISIONS_KNOW_THE_SPI = knowsOnly(DECIDING, ENGINE, SUPPORT, EXCEPTION);

    @ArchTest
    static final ArchRule EVERY_PACKAGE_HAS_ITS_RULE = classes()
            .should()
            .resideInAnyPackage(
                    API,
                    EVENT,
                    EXPIRY,
                    EXCEPTION,
                    TRANSACTION,
                    VERIFICATION,
                    SERIALIZATION,
                    JCACHE,
                    EXPORT,
                    CLI,
                    KOTLIN,
                    ENGINE,
                    DECIDING,
                    SUPPORT,
                    SQLITE,
                    POSTGRESQL,
                    BASE,
                    CACHE,
                    WATCH,
                    COMMIT,
                    PURGE,
                    DELIVERY,
                    VALUE,
                    ACCESS,
                    COPY,
                    STORE);

    @ArchTest
    static final ArchRule THE_ENGINE_SPI_KNOWS_NOTHING_OF_OURS_ABOVE_IT =
            knowsOnly(ENGINE, EXCEPTION, TRANSACTION, VERIFICATION);

    @ArchTest
    static final ArchRule TRANSACTIONS_OF_APPLICATIONS_KNOW_NOTHING_ELSE_OF_OURS = knowsOnly(TRANSACTION);

    @ArchTest
    static final ArchRule REPORTS_OF_VERIFICATIONS_KNOW_NOTHING_ELSE_OF_OURS = knowsOnly(VERIFICATION);

    @ArchTest
    static final ArchRule SERIALIZATION_KNOWS_THE_API_ONLY = knowsOnly(SERIALIZATION, API, EXCEPTION);

    @ArchTest
    static final ArchRule JCACHE_USES_THE_STORE_AS_APPLICATIONS_DO =
            knowsOnly(JCACHE, API, EVENT, EXPIRY, EXCEPTION, SERIALIZATION);

    @ArchTest
    static final ArchRule NOTHING_KNOWS_JCACHE_WHICH_CAN_BE_LEFT_OUT = noClasses()
            .that()
            .resideOutsideOfPackage(JCACHE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(JCACHE, "javax.cache..");

    @ArchTest
    static final ArchRule KOTLIN_USES_THE_STORE_AS_APPLICATIONS_DO = knowsOnly(KOTLIN, API, EVENT, EXPIRY);

    @ArchTest
    static final ArchRule NOTHING_KNOWS_KOTLIN_WHICH_CAN_BE_LEFT_OUT = noClasses()
            .that()
            .resideOutsideOfPackage(KOTLIN)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(KOTLIN, "kotlin..", "kotlinx..");

    /** Who has Kotlin does not always have its coroutines. */
    @ArchTest
    static final ArchRule FEW_KOTLIN_CLASSES_NEED_COROUTINES = noClasses()
            .that()
            .haveNameNotMatching("dev\\.ttlstore\\.kotlin\\.(Await|Flows).*")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("kotlinx.coroutines..");

    @ArchTest
    static final ArchRule EXPORTS_USE_THE_STORE_AS_TOOLS_MAY = knowsOnly(EXPORT, API, EXCEPTION);

    @ArchTest
    static final ArchRule NOTHING_KNOWS_WHAT_IS_FOR_OPERATORS_AND_CAN_BE_LEFT_OUT = noClasses()
            .that()
            .resideOutsideOfPackages(EXPORT, CLI)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(EXPORT, CLI, "tools.jackson..", "picocli..");

    @ArchTest
    static final ArchRule NOTHING_KNOWS_SPRING =
            noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework..");

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().assignedFrom(new PackageSlices()).should().beFreeOfCycles();

    @ArchTest
    static final ArchRule SQL_STAYS_IN_THE_ENGINES = noClasses()
            .that()
            .resideOutsideOfPackages(SQLITE, POSTGRESQL, TRANSACTION, CLI)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..", "org.sqlite..", "org.postgresql..");

    @ArchTest
    static final ArchRule CAFFEINE_CAN_BE_LEFT_OUT_SINCE_ONE_CLASS_NEEDS_IT = noClasses()
            .that()
            .haveNameNotMatching("dev\\.ttlstore\\.internal\\.cache\\.NearCache(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.github.benmanes..");

    @ArchTest
    static final ArchRule THREADS_HAVE_NOTHING_OF_THE_CALLER_THAT_FIRST_NEEDS_ONE = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(BackgroundThreads.class.getName())
            .should()
            .callConstructorWhere(target(owner(assignableTo(Thread.class))))
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(ForkJoinPool.class);

    /** The settings of a store, and a row of counts, have a name for each of their parts. */
    @ArchTest
    static final ArchRule NO_CONSTRUCTOR_HAS_MORE_THAN_TEN_PARAMETERS = constructors()
            .that()
            .areNotDeclaredIn(StoreSettings.class)
            .and()
            .areNotDeclaredIn(StoreActivity.class)
            .should()
            .haveRawParameterTypes(DescribedPredicate.describe("at most ten", types -> types.size() <= 10));

    /** What an engine may have to write, and what it gets or may use beside that. */
    @ArchTest
    static void theInterfaceOfEnginesIsSmall(JavaClasses all) {
        assertThat(abstractMethods(all, "dev.ttlstore.engine")).isBetween(1L, 62L);
        assertThat(abstractMethods(
                        all, "dev.ttlstore.engine", "dev.ttlstore.engine.support", "dev.ttlstore.engine.commit"))
                .isLessThanOrEqualTo(84);
    }

    private static long abstractMethods(JavaClasses all, String... packages) {
        return all.stream()
                .filter(type -> List.of(packages).contains(type.getPackageName()))
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> method.getModifiers().contains(JavaModifier.ABSTRACT))
                .count();
    }

    /** An {@link ArrayDeque} adds before it grows: without memory for that, it is full and says that it is empty, for good. */
    @ArchTest
    static final ArchRule QUEUES_THAT_LAST_SURVIVE_A_FULL_HEAP = noClasses()
            .should()
            .callConstructorWhere(target(owner(assignableTo(ArrayDeque.class)))
                    .<JavaConstructorCall>forSubtype()
                    .and(DescribedPredicate.describe(
                            "it is kept in a field", call -> call.getOrigin().isConstructor())));

    @ArchTest
    static final ArchRule OF_AN_ENGINE_ONLY_ITS_FACE_IS_PUBLIC = classes()
            .that()
            .resideInAnyPackage(SQLITE, POSTGRESQL)
            .and()
            .arePublic()
            .should()
            .beAssignableTo(EngineProvider.class)
            .orShould()
            .beAssignableTo(EngineFactory.class);

    @ArchTest
    static final ArchRule WHAT_USERS_SEE_SHOWS_NOTHING_OF_THE_MACHINERY = classes()
            .that()
            .resideInAnyPackage(API, EVENT, EXPIRY, EXCEPTION, VERIFICATION)
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
            .and()
            .doNotHaveFullyQualifiedName(TypeRef.class.getName()) // a subclass says its type
            .and(DescribedPredicate.describe(
                    "are not sealed", type -> !type.reflect().isSealed()))
            .and()
            .areTopLevelClasses()
            .and()
            .doNotHaveSimpleName("package-info")
            .should()
            .haveModifier(JavaModifier.FINAL);

    /** Of our packages, one knows itself and some others. */
    private static ArchRule knowsOnly(String name, String... others) {
        Set<String> known = new HashSet<>(List.of(others));
        known.add(name);
        return classes().that().resideInAPackage(name).should().onlyDependOnClassesThat(isOneOf(known));
    }

    private static DescribedPredicate<JavaClass> isOneOf(Set<String> packages) {
        return DescribedPredicate.describe(
                "are of " + packages + " or not ours",
                type -> packages.contains(type.getPackageName()) || !isOurs(type));
    }

    private static ArchCondition<JavaClass> showOnlyWhatUsersSee() {
        Set<String> seen = Set.of(API, EVENT, EXPIRY, EXCEPTION, TRANSACTION, VERIFICATION);
        return new ArchCondition<>("have no public method or constructor that names a class of the machinery") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (JavaMember member : type.getMembers()) {
                    boolean visible = member.getModifiers().contains(JavaModifier.PUBLIC)
                            || member.getModifiers().contains(JavaModifier.PROTECTED);
                    if (visible
                            && shown(member)
                                    .anyMatch(other -> isOurs(other)
                                            && !seen.contains(other.getPackageName())
                                            && !other.isEquivalentTo(EngineFactory.class))) {
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
        return type.getPackageName().startsWith("dev.ttlstore")
                && BASICS.stream().noneMatch(type::isEquivalentTo);
    }
}
