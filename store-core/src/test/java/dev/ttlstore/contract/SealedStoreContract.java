package dev.ttlstore.contract;

import org.junit.jupiter.api.Nested;

import dev.ttlstore.StoreBuilder;

/**
 * The parts of the contract in which values matter, to be run on a store that has all its groups encrypted. Those that take long
 * are left to stores that encrypt nothing: what {@link EncryptionContract} says of handlers and winners holds on each engine.
 */
public abstract class SealedStoreContract {

    /** A builder as in {@link StoreContract#builder()}. */
    protected abstract StoreBuilder builder();

    private StoreBuilder encrypted() {
        return builder().encrypt(group -> true, new AesGcm(7));
    }

    @Nested
    class AsyncChange extends AsyncChangeContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }

    @Nested
    class Async extends AsyncContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }

    @Nested
    class Cache extends CacheContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }

    @Nested
    class Codec extends CodecContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }

    @Nested
    class ConditionalWrite extends ConditionalWriteContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }

    @Nested
    class Counters extends CountersContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }

    @Nested
    class Group extends GroupContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }

    @Nested
    class Load extends LoadContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }

    @Nested
    class Range extends RangeContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }

    @Nested
    class Retention extends RetentionContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }

    @Nested
    class Scope extends ScopeContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }

    @Nested
    class Stream extends StreamContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }

    @Nested
    class Text extends TextContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }

    @Nested
    class Transaction extends TransactionContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }

    @Nested
    class TransactionReads extends TransactionReadsContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }

    @Nested
    class Unreadable extends UnreadableContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }

    @Nested
    class Update extends UpdateContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }

    @Nested
    class Version extends VersionContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }

    @Nested
    class Winners extends WinnersContract {
        @Override
        StoreBuilder builder() {
            return encrypted();
        }
    }
}
