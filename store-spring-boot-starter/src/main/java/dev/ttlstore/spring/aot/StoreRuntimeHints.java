package dev.ttlstore.spring.aot;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/**
 * The native image hints of the store: what it looks up by name at run time. The hints use names as well: the starter
 * does not depend on the engine's classes, and virtual threads are newer than the Java release that this is compiled
 * for. SQLite's driver ships the hints for itself and its native library.
 */
final class StoreRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        addEngine(hints);
        addSharedEngine(hints);
        addVirtualThreads(hints);
        addCacheKeys(hints);
        addCachingProvider(hints, classLoader);
        NearCacheHints.addTo(hints.reflection());
        SessionHints.addTo(hints, classLoader);
    }

    /**
     * Registers the engine. It is a service, and native images include services unless they are configured otherwise.
     */
    private static void addEngine(RuntimeHints hints) {
        addService(hints, "dev.ttlstore.StoreFactory", "dev.ttlstore.internal.store.DefaultStoreFactory");
        addService(hints, "dev.ttlstore.engine.EngineProvider", "dev.ttlstore.sqlite.SqliteEngineProvider");
    }

    /** Registers the tables of the shared engine, and what it calls by name because the driver may be another one. */
    private static void addSharedEngine(RuntimeHints hints) {
        hints.resources()
                .registerPattern("dev/ttlstore/postgresql/schema.sql")
                .registerPattern("dev/ttlstore/postgresql/functions.sql");
        addMethod(hints, "org.postgresql.PGConnection", "getNotifications", int.class);
        addMethod(hints, "org.postgresql.PGNotification", "getParameter");
        // Hikari copies the settings of a pool by its fields.
        hints.reflection()
                .registerType(
                        TypeReference.of("com.zaxxer.hikari.HikariConfig"), MemberCategory.ACCESS_DECLARED_FIELDS);
    }

    /** Registers the provider of JCache, which applications name in a property, if JCache is there. */
    private static void addCachingProvider(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection()
                .registerTypeIfPresent(
                        classLoader,
                        "dev.ttlstore.jcache.StoreCachingProvider",
                        MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
    }

    /** Registers what a cache's key consists of, which Spring tells to nobody. */
    private static void addCacheKeys(RuntimeHints hints) {
        hints.reflection()
                .registerType(
                        TypeReference.of("org.springframework.cache.interceptor.SimpleKey"),
                        type -> type.withField("params"));
    }

    private static void addService(RuntimeHints hints, String service, String provider) {
        hints.resources().registerPattern("META-INF/services/" + service);
        hints.reflection()
                .registerType(
                        TypeReference.of(provider), type -> type.withConstructor(List.of(), ExecutableMode.INVOKE));
    }

    /** Registers virtual threads. Without these hints expiry handlers run on platform threads. */
    private static void addVirtualThreads(RuntimeHints hints) {
        addMethod(hints, "java.lang.Thread", "ofVirtual");
        addMethod(hints, "java.lang.Thread$Builder", "name", String.class, long.class);
        addMethod(hints, "java.lang.Thread$Builder", "inheritInheritableThreadLocals", boolean.class);
        addMethod(hints, "java.lang.Thread$Builder", "factory");
        addMethod(hints, Executors.class.getName(), "newThreadPerTaskExecutor", ThreadFactory.class);
    }

    private static void addMethod(RuntimeHints hints, String type, String method, Class<?>... parameters) {
        hints.reflection()
                .registerType(
                        TypeReference.of(type),
                        builder -> builder.withMethod(method, TypeReference.listOf(parameters), ExecutableMode.INVOKE));
    }
}
