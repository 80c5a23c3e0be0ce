package dev.ttlstore.internal.store;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.KeyRange;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.exception.Printable;
import dev.ttlstore.internal.access.Mutation;
import dev.ttlstore.internal.access.PageStreams;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.commit.PagedChange;

/**
 * Walks the rows of a group, in pages and in the order of their keys. It holds nothing between two pages. A method that changes rows checks
 * its arguments in its caller's thread, and returns the work that is left. That makes small commits, one for a page at most. It ends with
 * the row that is the last one when it starts, however many rows others append meanwhile. An interrupt ends it early, except in a
 * transaction.
 *
 * @param access reaches the rows
 * @param group the full name of the group
 */
record GroupWalk(RowAccess access, String group) {

    private static final int ROWS_PER_PAGE = 256;

    /**
     * Streams the live rows of a range, page by page. A row that has expired since its page was read is read again,
     * because it may have been renewed in time.
     *
     * @param range the range
     * @return the rows, without regard to the limit of the range
     */
    Stream<Row> rows(KeyRange range) {
        requireRange(range);
        return PageStreams.rows(access, scan(range)).flatMap(row -> Stream.ofNullable(current(row)));
    }

    /**
     * Streams the live rows that were created before a time, the oldest first. Only for a group with an age index.
     *
     * @param before the time, in milliseconds since the epoch
     * @return the rows
     */
    Stream<Row> created(long before) {
        return PageStreams.rows(access, Scan.created(group, before, ROWS_PER_PAGE))
                .flatMap(row -> Stream.ofNullable(current(row)))
                .filter(row -> row.createdAt() < before);
    }

    private @Nullable Row current(Row row) {
        return row.isLiveAt(access.now()) ? row : access.reads().get(row.key(), Reads.NOW);
    }

    /**
     * Counts the rows of a range that are live at a time.
     *
     * @param range the range
     * @param at the time, in milliseconds since the epoch; {@link Reads#NOW} or an earlier one than now counts as now
     * @return how many there are, at most the limit of the range
     */
    long count(KeyRange range, long at) {
        return Math.min(range.maxEntries(), access.reads().count(scan(range).at(at)));
    }

    /** Deletes the rows of a range. */
    LongSupplier clear(KeyRange range) {
        return change("Deleting entries", range, Effect.DELETE);
    }

    /** Gives the rows of a range another expiry. */
    LongSupplier expireAll(KeyRange range, ExpiryRule rule) {
        return change("Giving entries another expiry", range, Effect.reschedule(rule));
    }

    private LongSupplier change(String what, KeyRange range, Effect effect) {
        requireRange(range);
        return () -> {
            access.requireUsable();
            Scan scan = range.maxEntries() == 0 ? null : untilNow(scan(range));
            return change(
                    what,
                    scan,
                    row -> true,
                    range.maxEntries(),
                    keys -> Mutation.changeAll(keys, Condition.LIVE, effect));
        };
    }

    private void requireRange(KeyRange range) {
        access.requireUsable();
        Objects.requireNonNull(range, "'range' must not be null");
    }

    /** Deletes the rows that are older than an age. */
    LongSupplier sweep(Duration maxAge) {
        long latest = latest(access, maxAge);
        return () -> sweep(latest);
    }

    /**
     * Deletes the rows that were created at a time or before, in this thread. Uses the age index of the group if there is one. A row that
     * was overwritten meanwhile goes, and one that was created again stays.
     *
     * @param latest the time, in milliseconds since the epoch
     * @return how many rows were deleted
     */
    long sweep(long latest) {
        access.requireUsable();
        Scan scan = access.context().group(group).ageIndex()
                ? Scan.created(group, latest + 1, ROWS_PER_PAGE)
                : untilNow(scan(KeyRange.all()));
        return change(
                "Removing old entries",
                scan,
                row -> row.createdAt() <= latest,
                Long.MAX_VALUE,
                keys -> Mutation.changeAll(keys, Condition.createdBy(latest), Effect.DELETE));
    }

    /**
     * Returns up to when entries must have been created for a sweep to delete them.
     *
     * @param access has the store's time
     * @param maxAge how old they may be
     * @return the time, in milliseconds since the epoch
     */
    static long latest(RowAccess access, Duration maxAge) {
        access.requireUsable();
        return Millis.ago(maxAge, "maxAge", access.now());
    }

    private long change(
            String what,
            @Nullable Scan scan,
            Predicate<Row> wanted,
            long most,
            Function<Set<RowKey>, Mutation<Long>> change) {
        if (scan == null) {
            return 0;
        }
        return PagedChange.run(
                what + " in group '" + Printable.of(group) + "'",
                last -> access.reads().page(scan.after(last)),
                wanted,
                most,
                access::isInterrupted,
                keys -> change.apply(keys).on(access));
    }

    /** Lets a scan end with its last row of now, so that it does not follow the rows that others append; null if empty. */
    private @Nullable Scan untilNow(Scan scan) {
        if (access.kind() == RowAccess.Kind.TRANSACTION) {
            return scan;
        }
        Row last = access.reads().page(scan.last()).last();
        return last == null ? null : scan.upTo(last);
    }

    private Scan scan(KeyRange range) {
        String from = range.from() == null ? "" : range.from();
        int limit = (int) Math.min(ROWS_PER_PAGE, Math.max(1, range.maxEntries()));
        return Scan.keys(group, from, range.to(), range.isReversed(), Reads.NOW, limit);
    }
}
