package dev.ttlstore.internal.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.KeyRange;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.watch.WatchRequest;

/** The existing entries of a group, for a watch that starts with them. */
final class ExistingEntries implements WatchRequest.InitialSignals {

    private static final Logger log = LoggerFactory.getLogger(ExistingEntries.class);
    private static final int ROWS_PER_PAGE = 256;

    private final RowAccess access;
    private final String localGroup;
    private final WatchOptions options;

    /** The rest of the entries; null if there are no more. */
    private @Nullable Scan rest;

    private boolean ended;

    /** Whether an unreadable value was logged: a whole group may be unreadable. */
    private boolean warned;

    /**
     * Prepares the walk.
     *
     * @param access reaches the rows
     * @param group the full name of the group
     * @param prefixLength how much of the name the reader does not see
     * @param options what the reader has asked for
     */
    ExistingEntries(RowAccess access, String group, int prefixLength, WatchOptions options) {
        this.access = access;
        this.localGroup = group.substring(prefixLength);
        this.options = options;
        KeyRange range = range(options);
        this.rest =
                Scan.keys(group, range.from() == null ? "" : range.from(), range.to(), false, Reads.NOW, ROWS_PER_PAGE);
    }

    private static KeyRange range(WatchOptions options) {
        if (options.key() != null) {
            return KeyRange.from(options.key()).limit(1);
        }
        return options.keyPrefix() == null ? KeyRange.all() : KeyRange.prefix(options.keyPrefix());
    }

    @Override
    public List<WatchSignal> next(long before) {
        try {
            List<WatchSignal> signals = new ArrayList<>();
            while (signals.isEmpty() && rest != null) {
                RowPage page = access.reads().page(rest);
                page.rows().stream()
                        .filter(row -> row.version() < before && isWanted(row))
                        .forEach(row -> signals.add(new WatchSignal.Existing(put(row))));
                rest = page.more() && options.key() == null ? rest.after(page.last()) : null;
            }
            if (signals.isEmpty() && !ended) {
                ended = true;
                signals.add(new WatchSignal.UpToDate(before));
            }
            return signals;
        } catch (StoreClosedException e) {
            return List.of(); // as every watch, it ends with the store
        }
    }

    private boolean isWanted(Row row) {
        return options.key() == null || options.key().equals(row.key().key());
    }

    private EntryPut put(Row row) {
        return new EntryPut(
                row.version(),
                Instant.ofEpochMilli(row.updatedAt()),
                localGroup,
                row.key().key(),
                row.version(),
                true,
                row.expiresAt() == Row.NEVER ? null : Instant.ofEpochMilli(row.expiresAt()),
                options.values() ? value(row) : null);
    }

    private byte @Nullable [] value(Row row) {
        try {
            return access.context().values().open(row.key().group(), row.key().key(), row.value());
        } catch (RuntimeException e) { // as in an event, from a cipher that does not reach its keys, for instance
            if (!warned) {
                warned = true;
                SafeLog.ofApplication(
                                log,
                                "The value of version " + row.version() + " in group '"
                                        + row.key().group()
                                        + "' cannot be read, so a watch gets the entry without it; the same is not"
                                        + " logged again for this watch")
                        .warn(e);
            }
            return null;
        }
    }
}
