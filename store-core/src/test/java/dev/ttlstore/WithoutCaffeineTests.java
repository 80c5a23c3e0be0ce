package dev.ttlstore;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;

import dev.ttlstore.exception.MissingLibraryException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The library of the near cache can be left out by those who do without the cache. */
class WithoutCaffeineTests {

    @Test
    void aStoreWithoutACacheNeedsNoCaffeine() throws Exception {
        assertThat(inAClassPathWithoutCaffeine(Uncached.class)).isEqualTo("value");
    }

    @Test
    void aStoreWithACacheSaysWhatItNeedsOrHowToDoWithout() throws Exception {
        Supplier<?> cached = supplier(Cached.class);
        assertThatThrownBy(cached::get)
                .satisfies(failure ->
                        assertThat(failure.getClass().getName()).isEqualTo(MissingLibraryException.class.getName()))
                .hasMessageContaining("com.github.ben-manes.caffeine:caffeine")
                .hasMessageContaining("cacheSize(0)");
    }

    /** A program to be loaded anew. */
    public static final class Uncached implements Supplier<String> {

        /** Called by reflection. */
        public Uncached() {}

        @Override
        public String get() {
            try (Store store = Store.builder().inMemory().cacheSize(0).open()) {
                store.group("group").put("key", "value");
                assertThat(store.group("group").clear()).isEqualTo(1);
                store.group("group").put("key", "value");
                assertThat(store.activity().cache().bytes()).isZero();
                return store.group("group").get("key").orElse("absent");
            }
        }
    }

    /** A program to be loaded anew. */
    public static final class Cached implements Supplier<String> {

        /** Called by reflection. */
        public Cached() {}

        @Override
        public String get() {
            try (Store store = Store.inMemory()) {
                return store.stats().engine();
            }
        }
    }

    private static Object inAClassPathWithoutCaffeine(Class<? extends Supplier<?>> program) throws Exception {
        return supplier(program).get();
    }

    private static Supplier<?> supplier(Class<? extends Supplier<?>> program) throws Exception {
        return (Supplier<?>) new Filter()
                .loadClass(program.getName())
                .getDeclaredConstructor()
                .newInstance();
    }

    /** Loads our classes anew, so that they find what this loader lets them find. */
    private static final class Filter extends ClassLoader {

        Filter() {
            super(Filter.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("com.github.benmanes.")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("dev.ttlstore.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream bytes = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (bytes == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] code = bytes.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
