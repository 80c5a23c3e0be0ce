package dev.ttlstore.contract;

import org.junit.jupiter.api.Nested;

import dev.ttlstore.StoreBuilder;

/** What a store promises whose engine keeps the data when the store is closed. */
public abstract class LastingStoreContract extends StoreContract {

    @Override
    final boolean lasts() {
        return true;
    }

    private StoreBuilder same() {
        return builder();
    }

    @Nested
    class Durability extends DurabilityContract {
        @Override
        StoreBuilder builder() {
            return same();
        }
    }

    @Nested
    class LastingExpiry extends LastingExpiryContract {
        @Override
        StoreBuilder builder() {
            return same();
        }
    }

    @Nested
    class LastingKeyspace extends LastingKeyspaceContract {
        @Override
        StoreBuilder builder() {
            return same();
        }
    }
}
