package dev.ttlstore.internal.commit;

import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.StoreState;

/** How far the engine has set aside sequence numbers and time, as one commit sees it. Used by one thread. */
final class SavedState {

    /** Numbers are set aside in blocks, so that not every commit has to save the last one. */
    private static final int SEQUENCE_BLOCK = 10_000;

    /** How far the saved time may lag behind, as long as there are commits. */
    private static final long TIME_LAG_MILLIS = 1_000;

    private final StoreState before;
    private final Reserve reserve;
    private StoreState state;

    SavedState(StoreState before, Reserve reserve) {
        this.before = before;
        this.reserve = reserve;
        this.state = before;
    }

    /** Sets aside versions that somebody may see although their commit never happens. */
    interface Reserve {

        /** For commits whose versions nobody sees before they are stored: storing them saves the state as well. */
        Reserve WITH_COMMIT = (sequence, state) -> state;

        /**
         * Sets versions aside, in a commit of its own if necessary.
         *
         * @param sequence the last version
         * @param state the state that the engine holds
         * @return the state that the engine holds now
         */
        StoreState upTo(long sequence, StoreState state);
    }

    /** Sets a version aside before anybody sees it. */
    void reserve(long version) {
        if (version > state.sequence()) {
            state = reserve.upTo(version + SEQUENCE_BLOCK, state);
        }
    }

    /** Saves the state if the commit has used numbers that are not set aside, or the saved time is old. */
    void saveIfNeeded(EngineTransaction transaction, long sequence, long now, boolean hasChanges) {
        boolean used = sequence > state.sequence();
        if (used || (hasChanges && now - state.time() >= TIME_LAG_MILLIS)) {
            save(transaction, used ? sequence + SEQUENCE_BLOCK : state.sequence(), now);
        }
    }

    void save(EngineTransaction transaction, long sequence, long now) {
        StoreState saved = new StoreState(sequence, now);
        transaction.save(saved);
        state = saved;
    }

    /** Forgets a save that was rolled back; the next attempt saves again. */
    void forget() {
        state = before;
    }

    /** The state that the engine holds once the commit is done. */
    StoreState current() {
        return state;
    }
}
