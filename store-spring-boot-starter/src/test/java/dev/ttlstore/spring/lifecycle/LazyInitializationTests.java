package dev.ttlstore.spring.lifecycle;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import dev.ttlstore.Store;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.spring.expiry.OnExpiry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** An application whose beans are created when they are asked for, which nobody does for what works in the background. */
@Tag("variant")
class LazyInitializationTests {

    @TempDir
    private Path folder;

    @Test
    void expiredEntriesAreStillPurged() {
        // Nobody is told on time, or it would not be the purge that is seen at work.
        try (ConfigurableApplicationContext context =
                start("--store.purge-interval=10ms", "--store.expiry.on-time=false")) {
            Store store = context.getBean(Store.class);
            store.group("texts").put("key", "text", Duration.ofMillis(1));
            await().until(() -> store.count() == 0 && store.stats().expired() == 0);
        }
    }

    @Test
    void expiriesAndEventsAreStillTold() {
        try (ConfigurableApplicationContext context = start("--store.purge.enabled=false")) {
            context.getBean(Store.class).group("texts").put("key", "text", Duration.ofMillis(1));
            List<String> told = context.getBean(Told.class).all;
            await().untilAsserted(() -> assertThat(told).containsExactly("put", "expired"));
        }
    }

    private ConfigurableApplicationContext start(String... properties) {
        List<String> arguments = new ArrayList<>(List.of(properties));
        arguments.add("--store.path=" + folder.resolve("store.db"));
        return new SpringApplicationBuilder(Application.class, Told.class)
                .web(WebApplicationType.NONE)
                .lazyInitialization(true)
                .run(arguments.toArray(String[]::new));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
    static class Application {}

    static class Told {

        private final List<String> all = new CopyOnWriteArrayList<>();

        @EventListener
        void onPut(EntryPut put) {
            all.add("put");
        }

        @OnExpiry(subscriber = "told", group = "texts")
        void onExpired(String value) {
            all.add("expired");
        }
    }
}
