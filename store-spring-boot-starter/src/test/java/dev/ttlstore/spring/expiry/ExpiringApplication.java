package dev.ttlstore.spring.expiry;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.ttlstore.Store;
import dev.ttlstore.spring.StoreRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** An application whose entries a test lets expire, and what its methods with {@code @OnExpiry} were called with. */
abstract class ExpiringApplication {

    static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    @TempDir
    Path folder;

    volatile Instant now = START;

    final List<Object> told = new CopyOnWriteArrayList<>();

    final ApplicationContextRunner runner() {
        return StoreRunner.at(folder)
                .withBean(InstantSource.class, () -> () -> now)
                .withBean("told", List.class, () -> told)
                .withPropertyValues("store.purge.enabled=false", "store.expiry.first-delay=10ms");
    }

    final void expireAll(Store store) {
        now = now.plusSeconds(1);
        store.purgeExpired();
    }

    /** In any order: they are handled at the same time. */
    final void awaitTold(Object... expected) {
        await().untilAsserted(() -> assertThat(told).containsExactlyInAnyOrder(expected));
    }
}
