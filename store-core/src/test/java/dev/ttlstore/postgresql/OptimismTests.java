package dev.ttlstore.postgresql;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

class OptimismTests {

    private final Optimism optimism = new Optimism();

    /** A store with a scope for each of its users has any number of them. */
    @Test
    @Promise(19)
    void itRemembersALimitedNumberOfCountedNamespaces() {
        for (int i = 0; i < 100_000; i++) {
            optimism.counted("tenant-" + i);
            assertThat(optimism.isCounted("tenant-" + i)).isTrue();
        }
        assertThat(optimism.isCounted("tenant-0")).isFalse();
        optimism.counted("tenant-0");
        assertThat(optimism.isCounted("tenant-0")).isTrue();
    }
}
