package dev.ttlstore.spring.metadata;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.spring.MovableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Metadata in a store in memory. */
class StoreMetadataStoreTests extends StoreMetadataStoreContract {

    private final MovableClock clock = new MovableClock();
    private final Store store = Store.builder().inMemory().clock(clock).open();
    private final StoreMetadataStore metadata = new StoreMetadataStore(store, Duration.ZERO);
    private final StoreMetadataStore other = new StoreMetadataStore(store, Duration.ZERO);

    @Override
    StoreMetadataStore metadata() {
        return metadata;
    }

    @Override
    StoreMetadataStore other() {
        return other;
    }

    @Override
    Store store() {
        return store;
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void anEntryLivesForTheTtlAfterItWasWritten() {
        StoreMetadataStore expiring = new StoreMetadataStore(store, Duration.ofDays(1));
        expiring.putIfAbsent("key", "value");
        clock.advance(Duration.ofHours(23));
        assertThat(expiring.putIfAbsent("key", "again")).isEqualTo("value");
        assertThat(expiring.replace("key", "value", "newer")).isTrue();
        clock.advance(Duration.ofHours(23));
        assertThat(expiring.get("key")).isEqualTo("newer");
        clock.advance(Duration.ofHours(1));
        assertThat(expiring.get("key")).isNull();
        assertThat(expiring.putIfAbsent("key", "again")).isNull();
    }

    @Test
    void zeroIsForEver() {
        metadata.put("key", "value");
        clock.advance(Duration.ofDays(10_000));
        assertThat(metadata.get("key")).isEqualTo("value");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StoreMetadataStore(store, Duration.ofMillis(-1)))
                .withMessageContaining("zero is for ever");
    }

    @Test
    void metadataOfAScopeAreItsOwn() {
        StoreMetadataStore ofScope = new StoreMetadataStore(store.scope("acme"), Duration.ZERO);
        Changes changes = new Changes();
        ofScope.addListener(changes);
        ofScope.put("key", "value");
        metadata.put("key", "another");
        assertThat(ofScope.get("key")).isEqualTo("value");
        assertThat(changes.seen).containsExactly("add key value");
    }

    @Test
    void theOldValueOfWhatWasPutLongAgoIsNotKept() {
        Changes changes = new Changes();
        metadata.addListener(changes);
        for (int i = 0; i <= 1_000; i++) {
            metadata.put("key" + i, "value");
        }
        boolean unused = store.group(StoreMetadataStore.GROUP).delete("key0");
        unused = store.group(StoreMetadataStore.GROUP).delete("key1");
        assertThat(changes.seen).endsWith("remove key0 ", "remove key1 value");
    }

    @Test
    void ofLargeValuesFewerAreKept() {
        Changes changes = new Changes();
        metadata.addListener(changes);
        String large = "v".repeat(800_000);
        for (int i = 0; i < 3; i++) {
            metadata.put("key" + i, large);
        }
        boolean unused = store.group(StoreMetadataStore.GROUP).delete("key0");
        unused = store.group(StoreMetadataStore.GROUP).delete("key1");
        assertThat(changes.seen).endsWith("remove key0 ", "remove key1 " + large);
    }
}
