package dev.ttlstore.sqlite;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.WatchOptions;

import static dev.ttlstore.contract.Assertions.assertThat;

/** How much a commit of a purge removes, if the names of the entries are long. */
class PurgeBytesTests {

    private static final int ENTRIES = 900;

    @Test
    @Promise({6, 24})
    void aCommitOfAPurgeEndsWhenTheNamesOfWhatItRemovesTakeMuchMemory() {
        MovableClock clock = new MovableClock();
        try (Store store = Store.builder()
                .inMemory()
                .clock(clock)
                .purgeInterval(Duration.ZERO)
                .expiryOnTime(false)
                .open()) {
            store.watch(WatchOptions.defaults().withCapacity(1)).close();
            Map<String, String> values = new LinkedHashMap<>();
            for (int i = 0; i < ENTRIES; i++) {
                values.put("k".repeat(1_000) + i, "");
            }
            store.group("g".repeat(1_000)).putAll(values, Duration.ofSeconds(1));
            clock.advance(Duration.ofSeconds(2));
            long before = store.activity().commits();
            assertThat(store.purgeExpired()).isEqualTo(ENTRIES);
            assertThat(store.activity().commits() - before).isEqualTo(2);
        }
    }
}
