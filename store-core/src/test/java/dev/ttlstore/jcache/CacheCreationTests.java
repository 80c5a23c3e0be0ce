package dev.ttlstore.jcache;

import java.io.Closeable;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import javax.management.MBeanServerDelegate;
import javax.management.MBeanServerNotification;
import javax.management.NotificationListener;
import javax.management.ObjectName;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.contract.Waiter;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** What a cache takes from its application: objects that it closes, and threads of which there are few. */
class CacheCreationTests {

    private final Store store = Store.inMemory();
    private final CacheManager manager = JCache.of(store);
    private final List<String> closed = new ArrayList<>();
    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void close() {
        release.countDown();
        manager.close();
        store.close();
    }

    private final class Loader implements CacheLoader<String, String>, Closeable {

        @Override
        public String load(String key) {
            return key;
        }

        @Override
        public Map<String, String> loadAll(Iterable<? extends String> keys) {
            Threads.await(release);
            return Map.of();
        }

        @Override
        public void close() {
            closed.add("loader");
        }
    }

    private final class Writer implements CacheWriter<String, String>, Closeable {

        @Override
        public void write(Cache.Entry<? extends String, ? extends String> entry) {}

        @Override
        public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {}

        @Override
        public void delete(Object key) {}

        @Override
        public void deleteAll(Collection<?> keys) {}

        @Override
        public void close() {
            closed.add("writer");
        }
    }

    private final class Listener implements CacheEntryCreatedListener<String, String>, Closeable {

        @Override
        public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {}

        @Override
        public void close() {
            closed.add("listener");
        }
    }

    private static <T> Factory<T> broken() {
        return () -> {
            throw new IllegalStateException("broken");
        };
    }

    private MutableConfiguration<String, String> loading() {
        return Caches.texts().setCacheLoaderFactory(Caches.always(new Loader())).setWriteThrough(true);
    }

    private void fails(MutableConfiguration<String, String> configuration) {
        assertThatThrownBy(() -> manager.createCache("texts", configuration)).hasStackTraceContaining("broken");
        assertThat(manager.<String, String>getCache("texts")).isNull();
    }

    @Test
    void whatWasMadeForACacheThatCouldNotBeMadeIsClosed() {
        fails(loading().setCacheWriterFactory(broken()));
        assertThat(closed).containsExactly("loader");
        closed.clear();
        fails(loading().setCacheWriterFactory(Caches.always(new Writer())).setExpiryPolicyFactory(broken()));
        assertThat(closed).containsExactlyInAnyOrder("loader", "writer");
        closed.clear();
        fails(Caches.texts()
                .addCacheEntryListenerConfiguration(new MutableCacheEntryListenerConfiguration<>(
                        Caches.always(new Listener()), broken(), false, true)));
        assertThat(closed).containsExactly("listener");
    }

    @Test
    void aCacheWhoseBeansCannotBeShownDoesNotExist() throws Exception {
        List<ObjectName> shown = new ArrayList<>();
        NotificationListener failing = (notification, handback) -> {
            ObjectName bean = ((MBeanServerNotification) notification).getMBeanName();
            if (bean.toString().contains("CacheStatistics")) {
                shown.add(bean);
                throw new AssertionError("broken");
            }
        };
        var server = ManagementFactory.getPlatformMBeanServer();
        server.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, failing, null, null);
        try {
            fails(loading().setManagementEnabled(true).setStatisticsEnabled(true));
        } finally {
            server.removeNotificationListener(MBeanServerDelegate.DELEGATE_NAME, failing);
            // The server had it before it told the listener, and only half of it.
            Throwable unused = catchThrowable(() -> server.unregisterMBean(shown.get(0)));
        }
        assertThat(server.isRegistered(shown.get(0))).isFalse();
        assertThat(closed).containsExactly("loader");
    }

    @Test
    @Promise(24)
    void whoLoadsMoreThanASlowLoaderCanWaits() {
        Cache<String, String> cache = manager.createCache("texts", loading());
        IntStream.range(0, StoreJCache.MOST_LOADS).forEach(i -> cache.loadAll(Set.of("a"), true, null));
        Waiter<Boolean> waiting = Waiter.start(() -> {
            cache.loadAll(Set.of("a"), true, null);
            return true;
        });
        assertThat(waiting.isDone()).isFalse();
        release.countDown();
        assertThat(waiting.get()).isTrue();
    }
}
