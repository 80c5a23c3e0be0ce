package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;

/**
 * Writes a draft's decisions: the changed rows, and the expiry of those that it has found expired.
 */
final class DraftWriter {

    private final Draft draft;

    DraftWriter(Draft draft) {
        this.draft = draft;
    }

    /** Stores the changes. After that, readers no longer find the old rows in the cache. */
    void store(EngineTransaction transaction) {
        countTtlsFrom(transaction.now());
        List<RowChange> changes = new ArrayList<>(draft.rows().changes());
        for (DraftRow draftRow : draft.rows().all()) {
            if (draftRow.isChanged()) {
                changes.add(new RowChange(draftRow.loaded(), draftRow.current()));
            }
        }
        if (!changes.isEmpty()) {
            transaction.store(changes);
        }
        if (!draft.expired().isEmpty()) {
            draft.recorded(transaction.expired(draft.expired(), draft.settings().retained()));
        }
        // Last, so that readers do without the cache for the shortest possible time.
        draft.rows().byKey().forEach((key, draftRow) -> {
            if (draftRow.isChanged()) {
                // Without knowing what it replaces, the draft does not know when the entry was created.
                draft.cache().change(key, draft.isProvisional() ? null : draftRow.current());
            }
        });
    }

    /** Counts ttls from a later time, because the work may have taken a while and an entry lives for its whole ttl. */
    private void countTtlsFrom(long time) {
        if (time == draft.now()) {
            return;
        }
        Map<Long, Long> moved = new HashMap<>();
        for (DraftRow draftRow : draft.rows().all()) {
            Row row = draftRow.current();
            if (row != null && draftRow.isChanged()) {
                long expiresAt = draftRow.expiry().from(time);
                if (expiresAt != row.expiresAt()) {
                    draftRow.set(row.withExpiry(expiresAt), draftRow.expiry());
                    moved.put(row.version(), expiresAt);
                }
            }
        }
        draft.log().moved(moved);
    }
}
