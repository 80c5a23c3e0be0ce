package dev.ttlstore.spring.aot;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/**
 * What the store finds by name when it runs, for native images to have it. By name here, too: the engine is no business of
 * the starter's, and virtual threads are newer than the Java that this is compiled for. SQLite's driver brings what it
 * needs itself, its native library included.
 */
final class StoreRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        addEngine(hints);
        addVirtualThreads(hints);
        NearCacheHints.addTo(hints.reflection());
    }

    /** A service, which native images find as long as nobody tells them not to. */
    private static void addEngine(RuntimeHints hints) {
        hints.resources().registerPattern("META-INF/services/dev.ttlstore.engine.EngineProvider");
        hints.reflection()
                .registerType(
                        TypeReference.of("dev.ttlstore.sqlite.SqliteEngineProvider"),
                        type -> type.withConstructor(List.of(), ExecutableMode.INVOKE));
    }

    /** Without these the handlers of expiries run in platform threads. */
    private static void addVirtualThreads(RuntimeHints hints) {
        addMethod(hints, "java.lang.Thread", "ofVirtual");
        addMethod(hints, "java.lang.Thread$Builder", "name", String.class, long.class);
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
