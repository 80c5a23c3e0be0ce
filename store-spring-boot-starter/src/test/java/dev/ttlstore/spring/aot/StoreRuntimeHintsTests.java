package dev.ttlstore.spring.aot;

import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeHint;
import org.springframework.aot.hint.TypeReference;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.csrf.DefaultCsrfToken;
import org.springframework.security.web.savedrequest.DefaultSavedRequest;
import org.springframework.test.util.ReflectionTestUtils;

import com.zaxxer.hikari.HikariConfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.resource;

/** What a native image is told to keep for the store. */
class StoreRuntimeHintsTests {

    private final RuntimeHints hints = new RuntimeHints();

    @BeforeEach
    void registerAsTheBuildOfAnApplicationDoes() {
        assertThat(AotServices.factories().load(RuntimeHintsRegistrar.class))
                .filteredOn(StoreRuntimeHints.class::isInstance)
                .singleElement()
                .satisfies(
                        registrar -> registrar.registerHints(hints, getClass().getClassLoader()));
    }

    @Test
    void theStoreAndItsEngineAreFound() throws Exception {
        assertServiceIsFound("dev.ttlstore.StoreFactory", "dev.ttlstore.internal.store.DefaultStoreFactory");
        assertServiceIsFound("dev.ttlstore.engine.EngineProvider", "dev.ttlstore.sqlite.SqliteEngineProvider");
    }

    private void assertServiceIsFound(String service, String provider) throws Exception {
        assertThat(resource().forResource("META-INF/services/" + service)).accepts(hints);
        Constructor<?> constructor = Class.forName(provider).getConstructor();
        assertThat(reflection().onConstructorInvocation(constructor)).accepts(hints);
    }

    @Test
    void theSharedEngineFindsItsTablesAndTheNotificationsOfTheDriver() throws Exception {
        assertThat(resource().forResource("dev/ttlstore/postgresql/schema.sql")).accepts(hints);
        assertThat(resource().forResource("dev/ttlstore/postgresql/functions.sql"))
                .accepts(hints);
        assertIsCallable("org.postgresql.PGConnection", "getNotifications", int.class);
        assertIsCallable("org.postgresql.PGNotification", "getParameter");
        assertThat(reflection().onType(HikariConfig.class).withMemberCategory(MemberCategory.ACCESS_DECLARED_FIELDS))
                .accepts(hints);
    }

    @Test
    void theParametersOfACachesKeyCanBeRead() throws Exception {
        assertThat(reflection().onFieldAccess("org.springframework.cache.interceptor.SimpleKey", "params"))
                .accepts(hints);
    }

    @Test
    void loginsAreSerializedAndAskedForTheirUser() {
        assertThat(reflection().onJavaSerialization(DefaultCsrfToken.class, true))
                .accepts(hints);
        assertThat(reflection().onJavaSerialization(DefaultSavedRequest.class, true))
                .accepts(hints);
        assertThat(reflection()
                        .onType(SecurityContextImpl.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
                .accepts(hints);
    }

    @TestFactory
    Stream<DynamicTest> everythingThatIsSerializedIsSerializable() {
        return hints.reflection()
                .typeHints()
                .filter(TypeHint::hasJavaSerialization)
                .map(hint -> hint.getType().getName())
                .map(name -> DynamicTest.dynamicTest(
                        name, () -> assertThat(Class.forName(name)).isAssignableTo(Serializable.class)));
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void handlersRunInVirtualThreads() throws Exception {
        assertIsCallable("java.lang.Thread", "ofVirtual");
        assertIsCallable("java.lang.Thread$Builder", "name", String.class, long.class);
        assertIsCallable("java.lang.Thread$Builder", "inheritInheritableThreadLocals", boolean.class);
        assertIsCallable("java.lang.Thread$Builder", "factory");
        assertIsCallable("java.util.concurrent.Executors", "newThreadPerTaskExecutor", ThreadFactory.class);
    }

    private void assertIsCallable(String type, String method, Class<?>... parameters) throws Exception {
        assertThat(reflection().onMethodInvocation(Class.forName(type).getMethod(method, parameters)))
                .accepts(hints);
    }

    @Test
    void theClassesOfTheNearCacheAreThoseThatCaffeineChooses() throws Exception {
        Object cache = cacheWithin(nearCache());
        assertThat(cache.getClass()).hasToString("class " + NearCacheHints.CACHE);
        assertThat(field(cache, "nodeFactory").getClass()).hasToString("class " + NearCacheHints.NODE);
        assertThat(reflection().onFieldAccess(NearCacheHints.CACHE, "FACTORY")).accepts(hints);
        assertThat(reflection()
                        .onConstructorInvocation(
                                Class.forName(NearCacheHints.NODE).getDeclaredConstructor()))
                .accepts(hints);
    }

    /** By name as well: the starter has no business with its class. */
    private static Object nearCache() throws ReflectiveOperationException {
        Constructor<?> constructor = Class.forName("dev.ttlstore.internal.cache.NearCache")
                .getDeclaredConstructor(long.class, boolean.class);
        return BeanUtils.instantiateClass(constructor, 1_000_000L, false);
    }

    private static Object cacheWithin(Object nearCache) {
        return field(field(nearCache, "rows"), "cache");
    }

    private static Object field(Object target, String name) {
        return Objects.requireNonNull(ReflectionTestUtils.getField(target, name));
    }

    /** A hint for what has another name by now would be passed over in silence. */
    @TestFactory
    Stream<DynamicTest> everythingThatIsNamedIsThere() {
        return hints.reflection()
                .typeHints()
                .filter(hint -> !hint.getType().getPackageName().startsWith("java.")) // Java 17 does not have all
                .map(hint -> DynamicTest.dynamicTest(hint.getType().getSimpleName(), () -> assertIsThere(hint)));
    }

    private static void assertIsThere(TypeHint hint) throws Exception {
        Class<?> type = Class.forName(hint.getType().getName());
        assertThat(type.getDeclaredFields())
                .extracting("name")
                .containsAll(hint.fields().map(field -> field.getName()).toList());
        assertThat(Stream.of(type.getDeclaredConstructors())
                        .map(constructor -> TypeReference.listOf(constructor.getParameterTypes()))
                        .toList())
                .containsAll(hint.constructors()
                        .map(constructor -> constructor.getParameterTypes())
                        .toList());
    }
}
