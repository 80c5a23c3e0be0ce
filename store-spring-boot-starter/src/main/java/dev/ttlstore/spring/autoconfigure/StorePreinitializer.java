package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;

import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;

import dev.ttlstore.Store;

/**
 * Has SQLite's native library and the classes of a store loaded by a thread in the background while the application starts,
 * for that takes most of the time that opening a store takes. What fails here is told when the store is opened.
 */
final class StorePreinitializer implements BackgroundPreinitializer {

    @Override
    public void preinitialize() {
        try (Store store =
                Store.builder().inMemory().purgeInterval(Duration.ZERO).open()) {
            store.group("group").put("key", "value");
        }
    }
}
