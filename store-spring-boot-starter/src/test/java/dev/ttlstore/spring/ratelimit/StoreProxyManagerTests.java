package dev.ttlstore.spring.ratelimit;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import dev.ttlstore.Store;

import io.github.bucket4j.tck.AbstractDistributedBucketTest;
import io.github.bucket4j.tck.ProxyManagerSpec;

/** Bucket4j's own kit for implementations, unmodified. It waits for real time. */
@Tag("slow")
class StoreProxyManagerTests extends AbstractDistributedBucketTest {

    private static final Store STORE = Store.inMemory();

    @BeforeAll
    static void implement() {
        specs = List.of(new ProxyManagerSpec<>(
                        "TTL Store", () -> UUID.randomUUID().toString(), () -> StoreProxyManager.builderFor(STORE))
                .checkExpiration());
    }

    @AfterAll
    static void close() {
        STORE.close();
    }
}
