package dev.ttlstore.contract;

import org.junit.jupiter.api.Nested;

import dev.ttlstore.StoreBuilder;

/** The parts of the contract that a cache could break, to be run with caches of other sizes than the default. */
public abstract class CacheSizeContract {

    /** A builder as in {@link StoreContract#builder()}, with a size of the cache. */
    protected abstract StoreBuilder builder();

    private StoreBuilder sized() {
        return builder();
    }

    @Nested
    class Cache extends CacheContract {
        @Override
        StoreBuilder builder() {
            return sized();
        }
    }

    @Nested
    class CacheRace extends CacheRaceContract {
        @Override
        StoreBuilder builder() {
            return sized();
        }
    }

    @Nested
    class Linearizability extends LinearizabilityContract {
        @Override
        StoreBuilder builder() {
            return sized();
        }
    }

    @Nested
    class Concurrency extends ConcurrencyContract {
        @Override
        StoreBuilder builder() {
            return sized();
        }
    }

    @Nested
    class Expiry extends ExpiryContract {
        @Override
        StoreBuilder builder() {
            return sized();
        }
    }

    @Nested
    class Renewal extends RenewalContract {
        @Override
        StoreBuilder builder() {
            return sized();
        }
    }

    @Nested
    class Overtaken extends OvertakenContract {
        @Override
        StoreBuilder builder() {
            return sized();
        }
    }

    @Nested
    class Model extends ModelContract {
        @Override
        StoreBuilder builder() {
            return sized();
        }

        @Override
        boolean lasts() {
            return false;
        }
    }
}
