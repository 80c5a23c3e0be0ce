package dev.ttlstore.contract;

import org.junit.jupiter.api.Nested;

import dev.ttlstore.StoreBuilder;

/**
 * The parts of the contract in which values matter, to be run on a store that has all its groups encrypted. Those that take long
 * are left to stores that encrypt nothing: what {@link SealedExpiryContract} says of handlers and {@link EncryptionContract} of winners holds on each engine.
 */
public abstract class SealedStoreContract extends EngineContract {

    @Override
    final StoreBuilder areaBuilder() {
        return builder().encrypt(group -> true, new AesGcm(7));
    }

    @Nested
    class AsyncChange extends AsyncChangeContract {}

    @Nested
    class Async extends AsyncContract {}

    @Nested
    class Cache extends CacheContract {}

    @Nested
    class Codec extends CodecContract {}

    @Nested
    class ConditionalWrite extends ConditionalWriteContract {}

    @Nested
    class Counters extends CountersContract {}

    @Nested
    class Group extends GroupContract {}

    @Nested
    class Load extends LoadContract {}

    @Nested
    class Range extends RangeContract {}

    @Nested
    class Retention extends RetentionContract {}

    @Nested
    class Scope extends ScopeContract {}

    @Nested
    class Stream extends StreamContract {}

    @Nested
    class Text extends TextContract {}

    @Nested
    class Transaction extends TransactionContract {}

    @Nested
    class TransactionReads extends TransactionReadsContract {}

    @Nested
    class Unreadable extends UnreadableContract {}

    @Nested
    class Update extends UpdateContract {}

    @Nested
    class Version extends VersionContract {}

    @Nested
    class Winners extends WinnersContract {}
}
