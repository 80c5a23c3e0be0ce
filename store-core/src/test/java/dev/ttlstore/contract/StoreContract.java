package dev.ttlstore.contract;

import org.junit.jupiter.api.Nested;

import dev.ttlstore.StoreBuilder;

/**
 * What every store promises, whatever its engine: an engine's test extends this class and says how a store on it is built.
 * An engine that keeps its data extends {@link LastingStoreContract}.
 */
public abstract class StoreContract {

    /** A builder for a store on the engine. Within one test it names the same place each time. */
    protected abstract StoreBuilder builder();

    /** Whether the data outlive the closing of the store. */
    boolean lasts() {
        return false;
    }

    private StoreBuilder fresh() {
        return builder();
    }

    @Nested
    class Expiry extends ExpiryContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Renewal extends RenewalContract {
        @Override
        StoreBuilder builder() {
            return StoreContract.this.builder();
        }
    }

    @Nested
    class Ttl extends TtlContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Clock extends ClockContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Group extends GroupContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Groups extends GroupsContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Names extends NamesContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Codec extends CodecContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Arguments extends ArgumentsContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Event extends EventContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Listener extends ListenerContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Secrecy extends SecrecyContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Purge extends PurgeContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Close extends CloseContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Concurrency extends ConcurrencyContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Linearizability extends LinearizabilityContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Model extends ModelContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }

        @Override
        boolean lasts() {
            return StoreContract.this.lasts();
        }
    }
}
