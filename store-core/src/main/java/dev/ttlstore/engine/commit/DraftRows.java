package dev.ttlstore.engine.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineView;
import dev.ttlstore.engine.EngineView.Loaded;
import dev.ttlstore.engine.ExpiryTime;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;

import static java.util.Objects.requireNonNull;

/**
 * The rows of a commit in progress: as they were loaded, and as its requests have left them. Changes can be undone. Used by one
 * thread.
 */
final class DraftRows {

    private final EngineView view;
    private final Function<RowKey, @Nullable Row> known;

    /** Called before a row changes, also if a change is undone, with the row before and after. */
    private final BiConsumer<@Nullable Row, @Nullable Row> observer;

    private final Map<RowKey, DraftRow> draftRows;
    private final List<Undo> undos;

    private record Undo(DraftRow draftRow, @Nullable Row row, ExpiryTime expiry) {}

    /**
     * Creates an instance without rows.
     *
     * @param view reads rows
     * @param known returns rows that are in memory
     * @param observer called before a row changes
     * @param expected how many rows there are probably
     */
    DraftRows(
            EngineView view,
            Function<RowKey, @Nullable Row> known,
            BiConsumer<@Nullable Row, @Nullable Row> observer,
            int expected) {
        this.view = view;
        this.known = known;
        this.observer = observer;
        this.draftRows = new HashMap<>(2 * expected);
        this.undos = new ArrayList<>(expected);
    }

    /**
     * Loads rows that are neither loaded nor in memory, and the usage of namespaces, in one call of the engine.
     *
     * @return the usage of the namespaces
     */
    Map<String, NamespaceUsage> load(Collection<RowKey> keys, Set<String> namespaces) {
        List<RowKey> missing = new ArrayList<>(keys.size());
        for (RowKey key : keys) {
            if (!draftRows.containsKey(key)) {
                Row inMemory = inMemory(key);
                if (inMemory == null) {
                    missing.add(key);
                } else {
                    draftRows.put(key, new DraftRow(inMemory));
                }
            }
        }
        if (missing.isEmpty() && namespaces.isEmpty()) {
            return Map.of();
        }
        Loaded loaded = view.load(missing, namespaces);
        for (RowKey key : missing) {
            draftRows.put(key, new DraftRow(loaded.rows().get(key)));
        }
        return loaded.usage();
    }

    /**
     * Returns a row that is in memory. One that has expired does not count: a purge may have removed it without a word. One that is live is
     * committed, because time does not run backwards.
     */
    private @Nullable Row inMemory(RowKey key) {
        Row row = known.apply(key);
        return row == null || row.expiresAt() == Row.NEVER || row.isLiveAt(view.now()) ? row : null;
    }

    /** Loads the usage of a namespace, without the changes of the commit. */
    NamespaceUsage loadUsage(String namespace) {
        return requireNonNull(view.load(List.of(), Set.of(namespace)).usage().get(namespace));
    }

    /** Adds rows that were read elsewhere, except those that the commit has loaded already. */
    void adopt(Collection<Row> rows) {
        for (Row row : rows) {
            draftRows.putIfAbsent(row.key(), new DraftRow(row));
        }
    }

    /** Returns a row, and loads it if needed. */
    DraftRow get(RowKey key) {
        DraftRow draftRow = draftRows.get(key);
        if (draftRow == null) {
            Map<String, NamespaceUsage> unused = load(List.of(key), Set.of());
            draftRow = requireNonNull(draftRows.get(key));
        }
        return draftRow;
    }

    boolean contains(RowKey key) {
        return draftRows.containsKey(key);
    }

    /** Returns the rows that were loaded so far. */
    Collection<DraftRow> all() {
        return draftRows.values();
    }

    /** Returns the rows that were changed, as they were loaded and as they are now. */
    List<RowChange> written() {
        if (undos.isEmpty()) {
            return List.of();
        }
        List<RowChange> written = new ArrayList<>(draftRows.size());
        for (DraftRow draftRow : draftRows.values()) {
            if (draftRow.isChanged()) {
                written.add(new RowChange(draftRow.loaded(), draftRow.current(), draftRow.expiry()));
            }
        }
        return written;
    }

    /** Changes a row. */
    void change(DraftRow draftRow, @Nullable Row row, ExpiryTime expiry) {
        undos.add(new Undo(draftRow, draftRow.current(), draftRow.expiry()));
        set(draftRow, row, expiry);
    }

    /** Returns how many changes there were, for {@link #undo}. */
    int changes() {
        return undos.size();
    }

    /** Undoes the last changes, down to a number. */
    void undo(int changes) {
        while (undos.size() > changes) {
            Undo undo = undos.remove(undos.size() - 1);
            set(undo.draftRow, undo.row, undo.expiry);
        }
    }

    private void set(DraftRow draftRow, @Nullable Row row, ExpiryTime expiry) {
        observer.accept(draftRow.current(), row);
        draftRow.set(row, expiry);
    }

    /** A row of a draft: as it was loaded, and as the draft's requests have left it. */
    static final class DraftRow {

        private final @Nullable Row loaded;
        private @Nullable Row current;

        /** Computes the expiry of the current row, if the draft has changed it. */
        private ExpiryTime expiry = ExpiryTime.NEVER;

        private DraftRow(@Nullable Row loaded) {
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
}
