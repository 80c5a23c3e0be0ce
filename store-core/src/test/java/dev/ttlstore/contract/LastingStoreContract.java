package dev.ttlstore.contract;

import org.junit.jupiter.api.Nested;

/** What a store promises whose engine keeps the data when the store is closed. */
public abstract class LastingStoreContract extends StoreContract {

    @Override
    final boolean lasts() {
        return true;
    }

    @Nested
    class Durability extends DurabilityContract {}

    @Nested
    class LastingExpiry extends LastingExpiryContract {}

    @Nested
    class LastingKeyspace extends LastingKeyspaceContract {}
}
