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
    class DurableExpiry extends DurableExpiryContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class FailingHandlers extends FailingHandlerContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class PromptExpiry extends PromptExpiryContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Renewal extends RenewalContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Overtaken extends OvertakenContract {
        @Override
        StoreBuilder builder() {
            return fresh();
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
    class Cache extends CacheContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class CacheRace extends CacheRaceContract {
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

    @Nested
    class Keyspace extends KeyspaceContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Expiring extends ExpiringContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Touch extends TouchContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Retention extends RetentionContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Transaction extends TransactionContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class TransactionReads extends TransactionReadsContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class TransactionUse extends TransactionUseContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class ConditionalWrite extends ConditionalWriteContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Version extends VersionContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Update extends UpdateContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Counters extends CountersContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Load extends LoadContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Winners extends WinnersContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Range extends RangeContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Stream extends StreamContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Sweep extends SweepContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class CompositeKey extends CompositeKeyContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Scope extends ScopeContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Quota extends QuotaContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Usage extends UsageContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Watch extends WatchContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Text extends TextContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Unreadable extends UnreadableContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Async extends AsyncContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class AsyncChange extends AsyncChangeContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Activity extends ActivityContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Observers extends ObserverContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class GroupSettings extends GroupSettingsContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class WatchOptions extends WatchOptionsContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }

    @Nested
    class Encryption extends EncryptionContract {
        @Override
        StoreBuilder builder() {
            return fresh();
        }
    }
}
