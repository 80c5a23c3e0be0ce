package dev.ttlstore.contract;

import org.junit.jupiter.api.Nested;

/** The parts of the contract that a cache could break, to be run with caches of other sizes than the default. */
public abstract class CacheSizeContract extends EngineContract {

    @Nested
    class Cache extends CacheContract {}

    @Nested
    class CacheRace extends CacheRaceContract {}

    @Nested
    class Linearizability extends LinearizabilityContract {}

    @Nested
    class Concurrency extends ConcurrencyContract {}

    @Nested
    class Expiry extends ExpiryContract {}

    @Nested
    class Renewal extends RenewalContract {}

    @Nested
    class Overtaken extends OvertakenContract {}

    @Nested
    class Model extends ModelContract {}
}
