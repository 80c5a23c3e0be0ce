package dev.ttlstore.internal.commit;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.internal.base.ProgressLog;

/**
 * Changes many rows page by page, in commits that let other writers in between. A row may change after its page was
 * read, so each commit decides by the row that it finds.
 */
public final class PagedChange {

    private PagedChange() {}

    /**
     * Changes some rows of each page in a commit of its own.
     *
     * @param what the change, for the log
     * @param source reads the page after a row, which is null for the first page
     * @param wanted selects rows
     * @param most how many rows are changed at most
     * @param stopped whether the change must end after the current page
     * @param change changes the rows under some keys in one commit, and returns how many it has changed
     * @return how many rows were changed
     */
    public static long run(
            String what,
            Function<@Nullable Row, RowPage> source,
            Predicate<Row> wanted,
            long most,
            BooleanSupplier stopped,
            ToLongFunction<Set<RowKey>> change) {
        ProgressLog progress = new ProgressLog(what);
        Row last = null;
        long left = most;
        boolean more = left > 0;
        while (more) {
            RowPage page = source.apply(last);
            List<Row> rows = page.rows().stream().filter(wanted).limit(left).toList();
            if (!rows.isEmpty()) {
                long changed = inParts(rows, change);
                progress.add(changed);
                left -= changed;
            }
            more = page.more() && left > 0 && !stopped.getAsBoolean();
            if (more) {
                last = page.last();
            }
        }
        return progress.done();
    }

    /** Makes a change in parts, because a full disk may have room for a part of a page only. */
    private static long inParts(List<Row> rows, ToLongFunction<Set<RowKey>> change) {
        try {
            return change.applyAsLong(rows.stream().map(Row::key).collect(Collectors.toCollection(LinkedHashSet::new)));
        } catch (StoreFullException e) {
            if (rows.size() == 1) {
                throw e;
            }
            int half = rows.size() / 2;
            return inParts(rows.subList(0, half), change) + inParts(rows.subList(half, rows.size()), change);
        }
    }
}
