package dev.ttlstore.contract;

import org.junit.jupiter.api.Nested;

/**
 * What every store promises, whatever its engine: an engine's test extends this class and says how a store on it is built.
 * An engine that keeps its data extends {@link LastingStoreContract}.
 */
public abstract class StoreContract extends EngineContract {

    @Nested
    class Expiry extends ExpiryContract {}

    @Nested
    class ExpiryValue extends ExpiryValueContract {}

    @Nested
    class ReadAndWrite extends ReadAndWriteContract {}

    @Nested
    class Bulk extends BulkContract {}

    @Nested
    class Batch extends BatchContract {}

    @Nested
    class Stored extends StoredEntriesContract {}

    @Nested
    class BulkRace extends BulkRaceContract {}

    @Nested
    class DurableExpiry extends DurableExpiryContract {}

    @Nested
    class WaitingExpiry extends WaitingExpiryContract {}

    @Nested
    class Subscriptions extends SubscriptionContract {}

    @Nested
    class HandlerClose extends HandlerCloseContract {}

    @Nested
    class MatchingExpiry extends MatchingExpiryContract {}

    @Nested
    class FailingHandlers extends FailingHandlerContract {}

    @Nested
    class PromptExpiry extends PromptExpiryContract {}

    @Nested
    class Renewal extends RenewalContract {}

    @Nested
    class Leap extends LeapContract {}

    @Nested
    class Overtaken extends OvertakenContract {}

    @Nested
    class Ttl extends TtlContract {}

    @Nested
    class Clock extends ClockContract {}

    @Nested
    class Group extends GroupContract {}

    @Nested
    class Groups extends GroupsContract {}

    @Nested
    class Names extends NamesContract {}

    @Nested
    class Codec extends CodecContract {}

    @Nested
    class Arguments extends ArgumentsContract {}

    @Nested
    class Event extends EventContract {}

    @Nested
    class Listener extends ListenerContract {}

    @Nested
    class Secrecy extends SecrecyContract {}

    @Nested
    class Purge extends PurgeContract {}

    @Nested
    class Close extends CloseContract {}

    @Nested
    class ClosedStore extends ClosedStoreContract {}

    @Nested
    class Concurrency extends ConcurrencyContract {}

    @Nested
    class Cache extends CacheContract {}

    @Nested
    class CacheRace extends CacheRaceContract {}

    @Nested
    class Linearizability extends LinearizabilityContract {}

    @Nested
    class Model extends ModelContract {}

    @Nested
    class Keyspace extends KeyspaceContract {}

    @Nested
    class Expiring extends ExpiringContract {}

    @Nested
    class Touch extends TouchContract {}

    @Nested
    class Retention extends RetentionContract {}

    @Nested
    class Transaction extends TransactionContract {}

    @Nested
    class TransactionReads extends TransactionReadsContract {}

    @Nested
    class TransactionForms extends TransactionFormsContract {}

    @Nested
    class TransactionUse extends TransactionUseContract {}

    @Nested
    class ConditionalWrite extends ConditionalWriteContract {}

    @Nested
    class Version extends VersionContract {}

    @Nested
    class Update extends UpdateContract {}

    @Nested
    class Counters extends CountersContract {}

    @Nested
    class Load extends LoadContract {}

    @Nested
    class Winners extends WinnersContract {}

    @Nested
    class Range extends RangeContract {}

    @Nested
    class Stream extends StreamContract {}

    @Nested
    class Sweep extends SweepContract {}

    @Nested
    class Age extends AgeContract {}

    @Nested
    class CompositeKey extends CompositeKeyContract {}

    @Nested
    class Scope extends ScopeContract {}

    @Nested
    class Erase extends EraseContract {}

    @Nested
    class Quota extends QuotaContract {}

    @Nested
    class Usage extends UsageContract {}

    @Nested
    class Watch extends WatchContract {}

    @Nested
    class Text extends TextContract {}

    @Nested
    class Unreadable extends UnreadableContract {}

    @Nested
    class Async extends AsyncContract {}

    @Nested
    class AsyncChange extends AsyncChangeContract {}

    @Nested
    class AsyncBulk extends AsyncBulkContract {}

    @Nested
    class Activity extends ActivityContract {}

    @Nested
    class Observers extends ObserverContract {}

    @Nested
    class GroupSettings extends GroupSettingsContract {}

    @Nested
    class WatchOptions extends WatchOptionsContract {}

    @Nested
    class WatchResume extends WatchResumeContract {}

    @Nested
    class WatchStart extends WatchStartContract {}

    @Nested
    class EventValues extends EventValuesContract {}

    @Nested
    class Encryption extends EncryptionContract {}

    @Nested
    class SealedExpiry extends SealedExpiryContract {}

    @Nested
    class UnopenedValues extends UnopenedValueContract {}

    @Nested
    class Cipher extends CipherContract {}
}
