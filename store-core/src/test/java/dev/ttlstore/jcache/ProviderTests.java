package dev.ttlstore.jcache;

import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.OptionalFeature;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Group;
import dev.ttlstore.RestartedClasses;
import dev.ttlstore.Store;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Where managers come from, and what they open and close. */
class ProviderTests {

    @TempDir
    Path folder;

    private final StoreCachingProvider provider = new StoreCachingProvider();

    private CacheManager manager(Path file) {
        return provider.getCacheManager(file.toUri(), null);
    }

    @Test
    void theProviderIsFoundByItsName() {
        assertThat(Caching.getCachingProvider(StoreCachingProvider.class.getName()))
                .isInstanceOf(StoreCachingProvider.class);
        assertThat(provider.getDefaultURI()).isEqualTo(URI.create("file:ttl-store-jcache.db"));
        assertThat(provider.isSupported(OptionalFeature.STORE_BY_REFERENCE)).isFalse();
    }

    /** JCache and Spring Boot would find two providers, and not choose. Only the tests of JCache find this one without its name. */
    @Test
    void anApplicationWithAnotherProviderKeepsIt() throws IOException {
        URL main =
                StoreCachingProvider.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {main}, null)) {
            assertThat(loader.findResource("dev/ttlstore/jcache/StoreCachingProvider.class"))
                    .isNotNull();
            assertThat(loader.findResource("META-INF/services/javax.cache.spi.CachingProvider"))
                    .isNull();
        }
    }

    @Test
    void aManagerOpensItsFileWithTheFirstCacheAndClosesItAtTheEnd() {
        Path file = folder.resolve("caches.db");
        CacheManager manager = manager(file);
        assertThat(file).doesNotExist();
        Cache<String, String> cache = Caches.texts(manager, Caches.texts());
        cache.put("a", "1");
        assertThat(file).exists();
        provider.close();
        assertThat(manager.isClosed()).isTrue();
        assertThat(cache.isClosed()).isTrue();
        assertThatIllegalStateException().isThrownBy(() -> cache.get("a"));
        try (Store store = Store.open(file)) {
            assertThat(store.group("jcache.texts").keys()).containsExactly("a");
        }
    }

    @Test
    void entriesAreThereAfterTheFileIsOpenedAgain() {
        Path file = folder.resolve("caches.db");
        Caches.texts(manager(file), Caches.texts()).put("a", "1");
        provider.close();
        assertThat(Caches.texts(manager(file), Caches.texts()).get("a")).isEqualTo("1");
        provider.close();
    }

    @Test
    void managersOfSeveralClassLoadersShareAFile() throws Exception {
        URI uri = folder.resolve("caches.db").toUri();
        try (URLClassLoader loader = new URLClassLoader(new URL[0], getClass().getClassLoader())) {
            CacheManager one = provider.getCacheManager(uri, null);
            CacheManager other = provider.getCacheManager(uri, loader);
            Cache<String, String> ofOther = Caches.texts(other, Caches.texts());
            Caches.texts(one, Caches.texts()).put("a", "1");
            assertThat(other).isNotSameAs(one);
            assertThat(ofOther.get("a")).isEqualTo("1");
            one.close();
            assertThat(ofOther.get("a")).isEqualTo("1");
            other.close();
        }
        Store.open(Path.of(uri)).close();
    }

    @Test
    void aFileMayBeNamedRelativeToTheWorkingDirectory() {
        Path expected = Path.of("caches.db").toAbsolutePath();
        assertThat(OpenStores.Location.of(URI.create("file:caches.db")).file()).isEqualTo(expected);
    }

    @Test
    void aUriThatNamesNoStoreIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> provider.getCacheManager(URI.create("http://example.com"), null))
                .withMessageContaining("'uri' must name the file of a store")
                .withMessageContaining("JCache.of(store)");
    }

    @Test
    void aMisspeltPropertyIsRefused() {
        Properties properties = new Properties();
        properties.setProperty("dev.ttlstore.jcache.allowed-clases", "com.example.*");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> provider.getCacheManager(URI.create("ttl-store:memory"), null, properties))
                .withMessageContaining("'dev.ttlstore.jcache.allowed-clases' is not a property");
        try (Store store = Store.inMemory()) {
            Properties malformed = new Properties();
            malformed.setProperty("dev.ttlstore.jcache.allowed-classes", "com.example.Order, *");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JCache.of(store, getClass().getClassLoader(), malformed))
                    .withMessageContaining("'dev.ttlstore.jcache.allowed-classes' is malformed: '*' must be");
        }
    }

    @Test
    @Tag("slow")
    void aFileThatAnotherProcessOwnsIsNamed() {
        Path file = folder.resolve("caches.db");
        try (Store owner = Store.open(file)) {
            CacheManager manager = manager(file);
            assertThatExceptionOfType(CacheException.class)
                    .isThrownBy(() -> Caches.texts(manager, Caches.texts()))
                    .withMessageContaining(file.toString());
            assertThat(owner.path()).isEqualTo(file);
        }
        provider.close();
    }

    @Test
    void anOpenStoreStaysOpen() {
        try (Store store = Store.inMemory()) {
            CacheManager manager = JCache.of(store);
            Cache<String, String> cache = Caches.texts(manager, Caches.texts());
            cache.put("a", "1");
            assertThat(manager.unwrap(Store.class)).isSameAs(store);
            assertThat(cache.unwrap(Group.class).name()).isEqualTo("jcache.texts");
            assertThatIllegalArgumentException().isThrownBy(() -> cache.unwrap(String.class));
            manager.close();
            assertThat(store.group("jcache.texts").contains("a")).isTrue();
            assertThat(Caches.texts(JCache.of(store), Caches.texts()).get("a")).isEqualTo("1");
        }
    }

    @Test
    void aCacheOfAClosedStoreIsClosed() {
        Store store = Store.inMemory();
        Cache<String, String> cache = Caches.texts(JCache.of(store), Caches.texts());
        store.close();
        assertThatIllegalStateException().isThrownBy(() -> cache.get("a"));
    }

    @Test
    void closingKeepsEntriesAndDestroyingDeletesThem() {
        try (Store store = Store.inMemory()) {
            CacheManager manager = JCache.of(store);
            Cache<String, String> cache = Caches.texts(manager, Caches.texts());
            cache.put("a", "1");
            cache.close();
            assertThat(manager.getCacheNames()).isEmpty();
            assertThat(store.group("jcache.texts").count()).isOne();
            manager.destroyCache("texts"); // which the manager no longer knows
            assertThat(store.group("jcache.texts").count()).isZero();

            Cache<String, String> again = Caches.texts(manager, Caches.texts());
            again.registerCacheEntryListener(Caches.listener(new Recorder(), true));
            again.put("a", "1");
            manager.destroyCache("texts");
            assertThat(again.isClosed()).isTrue();
            assertThat(store.count()).isZero();
            assertThat(store.expirySubscribers()).isEmpty();
        }
    }

    /** A value of the application, whose classes are other ones after a restart by DevTools. */
    record Book(String title) implements Serializable {}

    private static Object putAndRead(CacheManager manager) {
        Cache<String, Object> books = manager.createCache(
                "books", new StoreConfiguration<String, Object>().allow("dev.ttlstore.jcache.ProviderTests$Book"));
        books.put("a", new Book("A"));
        return requireNonNull(books.get("a"));
    }

    @Test
    void classesAreThoseOfTheContextClassLoader() throws IOException {
        try (RestartedClasses restarted = new RestartedClasses(getClass());
                Store store = Store.inMemory()) {
            CacheManager ofAStore = restarted.whileItIsTheContext(() -> JCache.of(store));
            CacheManager ofTheProvider =
                    restarted.whileItIsTheContext(() -> provider.getCacheManager(URI.create("ttl-store:memory"), null));
            for (CacheManager manager : List.of(ofAStore, ofTheProvider)) {
                assertThat(manager.getClassLoader()).isSameAs(restarted);
                assertThat(putAndRead(manager).getClass().getClassLoader()).isSameAs(restarted);
                manager.close();
            }
        }
    }

    @Test
    void withoutAContextClassLoaderClassesAreThoseOfTheLibrary() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(null);
        try {
            assertThat(provider.getDefaultClassLoader()).isSameAs(StoreCachingProvider.class.getClassLoader());
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
