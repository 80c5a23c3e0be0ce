package dev.ttlstore.sqlite.crash;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Durability;
import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

/**
 * Versions after a power failure, which takes what is not on the disk: with {@link Durability#NORMAL}, all that was written after the
 * last version was set aside.
 */
@Promise({9, 11})
class PowerFailureTests {

    /** As many as are set aside at a time. */
    private static final int BLOCK = 10_000;

    @TempDir
    Path folder;

    @Test
    void versionsThatWereLostAreNotUsedAgain() throws IOException {
        Path file = folder.resolve("store.db");
        Path left = folder.resolve("left.db");
        try (Store store =
                Store.builder().path(file).durability(Durability.NORMAL).open()) {
            for (int block = 0; block < 3; block++) {
                long first = version(store); // sets a block aside, and brings that to the disk
                StoreFiles.copy(file, left);
                store.group("group").putAll(many(BLOCK - 1));
                assertThat(store.group("group").entry("key0").orElseThrow().version())
                        .isGreaterThanOrEqualTo(first);
                try (Store after = Store.open(left)) {
                    assertThat(version(after)).isGreaterThan(first + BLOCK - 1);
                }
                version(store);
            }
        }
    }

    private static long version(Store store) {
        store.group("group").put("key", "value");
        return store.group("group").entry("key").orElseThrow().version();
    }

    private static Map<String, String> many(int entries) {
        return IntStream.range(0, entries).boxed().collect(Collectors.toMap(i -> "key" + i, i -> "value"));
    }
}
