package dev.ttlstore.internal.copy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.CopyProgress;
import dev.ttlstore.CopyProgress.Phase;
import dev.ttlstore.CopyResult;
import dev.ttlstore.CopySettings;
import dev.ttlstore.engine.CopySource;
import dev.ttlstore.engine.CopySource.StoredCounts;
import dev.ttlstore.engine.CopyTarget;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.exception.CopyMismatchException;
import dev.ttlstore.exception.CopySourceChangedException;
import dev.ttlstore.exception.CopyTargetException;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.exception.StoreInUseException;
import dev.ttlstore.exception.StoreInterruptedException;
import dev.ttlstore.internal.copy.ContentSums.Kind;

/**
 * One copy of a store. It marks the target, writes what differs there from the source, reads the target again and compares, and
 * removes the mark. A repeated run does the same, so it makes no difference where the run before has ended, and whether
 * the source has changed since. Used by one thread.
 */
public final class Copying {

    private final CopySource source;
    private final CopyTarget target;
    private final Consumer<? super CopyProgress> listener;

    private Phase phase = Phase.COPYING;
    private long total;
    private long begun = System.nanoTime();

    private Copying(CopySource source, CopyTarget target, Consumer<? super CopyProgress> listener) {
        this.source = source;
        this.target = target;
        this.listener = listener;
    }

    /**
     * Copies a store.
     *
     * @param settings from where and to where
     * @return what was copied
     */
    public static CopyResult run(CopySettings settings) {
        long begun = System.nanoTime();
        EngineSettings asked = new EngineSettings(false, settings.lockTimeout(), settings.clock());
        ContentSums copied;
        try (CopySource source = settings.source().openSource(asked);
                CopyTarget target = settings.target().openTarget(asked)) {
            copied = new Copying(source, target, settings.progress()).run();
        } catch (StoreFullException e) {
            throw new StoreFullException(
                    "There is no room left for the rest of the copy. Free space, and run it again: it is continued", e);
        }
        return new CopyResult(
                copied.count(Kind.ENTRIES),
                copied.count(Kind.RETAINED),
                copied.count(Kind.SUBSCRIBERS),
                copied.count(Kind.DELIVERIES),
                copied.checksum(),
                Duration.ofNanos(System.nanoTime() - begun));
    }

    private ContentSums run() {
        boolean continued = requireFreeTarget();
        requireAlone(source);
        requireAlone(target);
        String state = source.state();
        total = source.counts().total();
        target.begin(source.place());
        begin(Phase.COPYING);
        ContentSums read = copy(continued);
        if (continued) {
            removeSurplus();
        }
        requireUnchanged(state);
        begin(Phase.VERIFYING);
        List<String> differences = read.differences(readTarget());
        if (!differences.isEmpty()) {
            throw new CopyMismatchException(target.place(), String.join(", ", differences));
        }
        requireUnchanged(state);
        target.finish(source.reached());
        return read;
    }

    /** Checks the target before anything is written, and returns whether it holds a part of the copy. */
    private boolean requireFreeTarget() {
        if (source.place().equals(target.place())) {
            throw new IllegalArgumentException("'target' must not be the source, " + source.place());
        }
        String unfinished = target.unfinished();
        if (unfinished == null) {
            StoredCounts found = target.counts();
            if (found.total() > 0) {
                throw new CopyTargetException(
                        target.place(),
                        "is not empty: it holds " + found.entries()
                                + " entries, " + found.retained() + " retained entries, " + found.subscribers()
                                + " subscribers and " + found.deliveries() + " deliveries");
            }
            return false;
        }
        if (!unfinished.equals(source.place())) {
            throw new CopyTargetException(
                    target.place(),
                    "holds an unfinished copy of another source, " + unfinished + ", and not of " + source.place());
        }
        return true;
    }

    private static void requireAlone(CopySource store) {
        int others = store.others();
        if (others > 0) {
            throw new StoreInUseException(store.place(), "instances that have it open: " + others);
        }
    }

    private void requireUnchanged(String state) {
        if (!source.state().equals(state)) {
            throw new CopySourceChangedException(source.place());
        }
    }

    private void begin(Phase next) {
        phase = next;
        begun = System.nanoTime();
    }

    /**
     * Copies all rows of the source, and returns what it has read.
     *
     * @param continued whether the target has entries of an earlier run
     */
    private ContentSums copy(boolean continued) {
        ContentSums seen = new ContentSums();
        pages(source::entries, seen, seen::entries, rows -> change(rows, continued));
        pages(source::retained, seen, seen::retained, target::retain);
        List<Subscriber> subscribers = source.subscribers();
        seen.subscribers(subscribers);
        target.subscribe(subscribers);
        pages(source::deliveries, seen, seen::deliveries, target::deliver);
        progress(seen); // also if there is nothing
        return seen;
    }

    /** Reads all rows of the target. */
    private ContentSums readTarget() {
        ContentSums seen = new ContentSums();
        pages(target::entries, seen, seen::entries, none -> {});
        pages(target::retained, seen, seen::retained, none -> {});
        seen.subscribers(target.subscribers());
        pages(target::deliveries, seen, seen::deliveries, none -> {});
        progress(seen);
        return seen;
    }

    private <T> void pages(Pages<T> pages, ContentSums seen, Consumer<List<T>> first, Consumer<List<T>> second) {
        List<T> page = pages.after(null);
        while (!page.isEmpty()) {
            first.accept(page);
            second.accept(page);
            progress(seen);
            page = pages.after(page.get(page.size() - 1));
        }
    }

    /** Reads the page after a row; the first one after null. */
    private interface Pages<T> {
        List<T> after(@Nullable T last);
    }

    private void progress(ContentSums seen) {
        if (Thread.currentThread().isInterrupted()) {
            throw new StoreInterruptedException(
                    "The copy to " + target.place() + " was interrupted",
                    "Copy again into the same target, which continues it");
        }
        listener.accept(new CopyProgress(phase, seen.count(), total, Duration.ofNanos(System.nanoTime() - begun)));
    }

    /** Writes entries of the source, but for those that an earlier run has written as they are. */
    private void change(List<Row> rows, boolean continued) {
        Map<RowKey, Row> present =
                continued ? target.find(rows.stream().map(Row::key).toList()) : Map.of();
        List<RowChange> changes = rows.stream()
                .filter(row -> !areEqual(row, present.get(row.key())))
                .map(row -> new RowChange(present.get(row.key()), row))
                .toList();
        if (!changes.isEmpty()) {
            target.change(changes);
        }
    }

    private static boolean areEqual(Row row, @Nullable Row other) {
        return other != null
                && row.version() == other.version()
                && row.createdAt() == other.createdAt()
                && row.updatedAt() == other.updatedAt()
                && row.expiresAt() == other.expiresAt()
                && row.hasValueOf(other);
    }

    /** Removes entries of an earlier run that the source does not have any more. */
    private void removeSurplus() {
        List<Row> page = target.entries(null);
        while (!page.isEmpty()) {
            Map<RowKey, Row> kept = source.find(page.stream().map(Row::key).toList());
            List<RowChange> surplus = page.stream()
                    .filter(row -> !kept.containsKey(row.key()))
                    .map(row -> new RowChange(row, null))
                    .toList();
            if (!surplus.isEmpty()) {
                target.change(surplus);
            }
            page = target.entries(page.get(page.size() - 1));
        }
    }
}
