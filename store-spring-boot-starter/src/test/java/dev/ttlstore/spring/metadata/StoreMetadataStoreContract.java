package dev.ttlstore.spring.metadata;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.integration.metadata.MetadataStoreListener;

import dev.ttlstore.Store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/** What Spring Integration's own tests ask of each metadata store, and more; on each engine. */
@SuppressWarnings("NullAway") // null is refused
abstract class StoreMetadataStoreContract {

    /** Returns the metadata of this instance, which do not expire. */
    abstract StoreMetadataStore metadata();

    /** Returns the same metadata as another instance has them. */
    abstract StoreMetadataStore other();

    /** Returns the store of this instance. */
    abstract Store store();

    @Test
    void whatWasPutIsThere() {
        assertThat(metadata().get("key")).isNull();
        metadata().put("key", "value");
        metadata().put("key", "newer");
        metadata().put("another", "");
        assertThat(other().get("key")).isEqualTo("newer");
        assertThat(other().get("another")).isEmpty();
        assertThat(store().group(StoreMetadataStore.GROUP).get("key")).contains("newer");
    }

    @Test
    void whatWasRemovedIsGone() {
        metadata().put("key", "value");
        assertThat(other().remove("key")).isEqualTo("value");
        assertThat(metadata().remove("key")).isNull();
        assertThat(metadata().get("key")).isNull();
    }

    @Test
    void whatIsThereIsNotPutAgain() {
        assertThat(metadata().putIfAbsent("key", "value")).isNull();
        assertThat(other().putIfAbsent("key", "newer")).isEqualTo("value");
        assertThat(metadata().get("key")).isEqualTo("value");
    }

    @Test
    void aValueIsReplacedIfItIsTheExpectedOne() {
        assertThat(metadata().replace("key", "value", "newer")).isFalse();
        assertThat(metadata().get("key")).isNull();
        metadata().put("key", "value");
        assertThat(other().replace("key", "another", "newer")).isFalse();
        assertThat(metadata().get("key")).isEqualTo("value");
        assertThat(other().replace("key", "value", "newer")).isTrue();
        assertThat(metadata().get("key")).isEqualTo("newer");
    }

    @Test
    void oneOfManyWinsAcrossInstances() throws Exception {
        metadata().put("key", "0");
        int threads = 4;
        int times = 10;
        try (SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor()) {
            List<Future<Long>> running = IntStream.range(0, threads)
                    .mapToObj(thread -> executor.submit(() -> {
                        StoreMetadataStore mine = thread % 2 == 0 ? metadata() : other();
                        for (int i = 0; i < times; i++) {
                            String before;
                            do {
                                before = mine.get("key");
                            } while (!mine.replace("key", before, String.valueOf(Integer.parseInt(before) + 1)));
                        }
                        return IntStream.range(0, times)
                                .filter(i -> mine.putIfAbsent("file" + i, "seen") == null)
                                .count();
                    }))
                    .toList();
            long first = 0;
            for (Future<Long> one : running) {
                first += one.get(120, TimeUnit.SECONDS);
            }
            assertThat(first).isEqualTo(times);
        }
        assertThat(metadata().get("key")).isEqualTo(String.valueOf(threads * times));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 512, 513, 4_000})
    void aKeyMayHaveAnyLength(int length) {
        String key = "ä".repeat(length);
        Changes changes = new Changes();
        metadata().addListener(changes);
        metadata().put(key, "1:value");
        assertThat(other().get(key)).isEqualTo("1:value");
        assertThat(other().get(key + "ä")).isNull();
        assertThat(metadata().putIfAbsent(key, "newer")).isEqualTo("1:value");
        assertThat(metadata().replace(key, "1:value", "2:value")).isTrue();
        assertThat(metadata().remove(key)).isEqualTo("2:value");
        assertThat(changes.seen)
                .containsExactly("add " + key + " 1:value", "update " + key + " 2:value", "remove " + key + " 2:value");
        metadata().removeListener(changes);
    }

    @Test
    void nullIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> metadata().put(null, "value"))
                .withMessageContaining("'key'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> metadata().put("key", null))
                .withMessageContaining("'value'");
        assertThatIllegalArgumentException().isThrownBy(() -> metadata().get(null));
        assertThatIllegalArgumentException().isThrownBy(() -> metadata().remove(null));
        assertThatIllegalArgumentException().isThrownBy(() -> metadata().putIfAbsent("key", null));
        assertThatIllegalArgumentException().isThrownBy(() -> metadata().replace("key", null, "value"));
    }

    @Test
    void aListenerIsCalledBeforeTheWriteReturns() {
        Changes changes = new Changes();
        metadata().addListener(changes);
        metadata().addListener(changes);
        metadata().put("key", "value");
        metadata().putIfAbsent("key", "ignored");
        metadata().replace("key", "value", "newer");
        metadata().put("key", "newest");
        metadata().remove("key");
        metadata().remove("key");
        store().group("another").put("key", "value");
        assertThat(changes.seen)
                .containsExactly("add key value", "update key newer", "update key newest", "remove key newest");
        metadata().removeListener(changes);
        metadata().put("key", "again");
        assertThat(changes.seen).hasSize(4);
    }

    @Test
    void aListenerHearsOfChangesOfOtherInstancesAndOfExpiries() {
        Changes changes = new Changes();
        metadata().put("old", "value");
        metadata().addListener(changes);
        other().put("key", "value");
        await().untilAsserted(() -> assertThat(changes.seen).containsExactly("add key value"));
        other().remove("key");
        await().untilAsserted(() -> assertThat(changes.seen).hasSize(2).contains("remove key value"));
        boolean unused = store().group(StoreMetadataStore.GROUP).expireNow("old");
        await().untilAsserted(() -> assertThat(changes.seen).hasSize(3).contains("remove old "));
        metadata().removeListener(changes);
    }

    @Test
    void aListenerThatFailsHarmsNobody() {
        Changes changes = new Changes();
        Changes failing = new Changes() {
            @Override
            public void onAdd(String key, String value) {
                throw new IllegalStateException("Fails");
            }
        };
        metadata().addListener(failing);
        metadata().addListener(changes);
        metadata().put("key", "value");
        assertThat(changes.seen).containsExactly("add key value");
        metadata().destroy();
        metadata().put("key", "newer");
        assertThat(changes.seen).hasSize(1);
        assertThat(failing.seen).isEmpty();
    }

    /** Writes down what it hears. */
    static class Changes implements MetadataStoreListener {
        final List<String> seen = new CopyOnWriteArrayList<>();

        @Override
        public void onAdd(String key, String value) {
            seen.add("add " + key + " " + value);
        }

        @Override
        public void onRemove(String key, String oldValue) {
            seen.add("remove " + key + " " + oldValue);
        }

        @Override
        public void onUpdate(String key, String newValue) {
            seen.add("update " + key + " " + newValue);
        }
    }
}
