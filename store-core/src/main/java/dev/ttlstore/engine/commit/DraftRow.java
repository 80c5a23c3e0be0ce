package dev.ttlstore.engine.commit;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryTime;
import dev.ttlstore.engine.Row;

/** A row of a draft: as it was loaded, and as the draft's requests have left it. */
final class DraftRow {

    private final @Nullable Row loaded;
    private @Nullable Row current;

    /** Computes the expiry of the current row, if the draft has changed it. */
    private ExpiryTime expiry = ExpiryTime.NEVER;

    DraftRow(@Nullable Row loaded) {
        this.loaded = loaded;
        this.current = loaded;
    }

    @Nullable
    Row loaded() {
        return loaded;
    }

    @Nullable
    Row current() {
        return current;
    }

    ExpiryTime expiry() {
        return expiry;
    }

    /** Returns the expiry that the draft has given to the row; null if it has not changed the row. A ttl counts from the moment at which the commit is stored. */
    @Nullable
    ExpiryTime changedExpiry() {
        return isChanged() ? expiry : null;
    }

    void set(@Nullable Row row, ExpiryTime newExpiry) {
        current = row;
        expiry = newExpiry;
    }

    @SuppressWarnings("ReferenceEquality") // a change replaces the row, and nothing else creates one
    boolean isChanged() {
        return loaded != current;
    }
}
