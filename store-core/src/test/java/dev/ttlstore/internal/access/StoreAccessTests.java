package dev.ttlstore.internal.access;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

import static dev.ttlstore.contract.Assertions.assertThat;

class StoreAccessTests {

    private final AtomicInteger asked = new AtomicInteger();

    private final InstantSource clock = () -> {
        asked.incrementAndGet();
        return InstantSource.system().instant();
    };

    @Test
    void theTimeIsAskedForOnceToReadAnEntryThatExpiresAndNotForOneThatDoesNot() {
        try (Store store = Store.builder()
                .inMemory()
                .clock(clock)
                .purgeInterval(Duration.ZERO)
                .open()) {
            TextGroup group = store.group("group");
            group.put("lasting", "value");
            group.put("passing", "value", Duration.ofHours(1));
            asked.set(0);
            assertThat(group.get("lasting")).contains("value");
            assertThat(asked).hasValue(0);
            assertThat(group.get("passing")).contains("value");
            assertThat(asked).hasValue(1);
        }
    }
}
