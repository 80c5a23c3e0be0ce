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
import dev.ttlstore.engine.CopyPage;
import dev.ttlstore.engine.CopyPage.Kind;
import dev.ttlstore.engine.CopySource;
import dev.ttlstore.engine.CopySource.StoredCounts;
import dev.ttlstore.engine.CopyTarget;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.Place;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.exception.CopyMismatchException;
import dev.ttlstore.exception.CopySourceChangedException;
import dev.ttlstore.exception.CopyTargetException;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.exception.StoreInUseException;
import dev.ttlstore.exception.StoreInterruptedException;

import static java.util.Objects.requireNonNull;

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
        String state = source.activity().state();
        total = source.counts().total();
        target.begin(source.place());
        begin(Phase.COPYING);
        ContentSums read = read(source, page -> write(continued ? changes(page) : page));
        if (continued) {
            pages(target, Kind.ENTRIES, page -> write(surplus(page)));
        }
        requireUnchanged(state);
        begin(Phase.VERIFYING);
        List<String> differences = read.differences(read(target, page -> {}));
        if (!differences.isEmpty()) {
            throw new CopyMismatchException(target.place(), String.join(", ", differences));
        }
        requireUnchanged(state);
        target.finish(source.activity().reached());
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
        int others = store.activity().others();
        if (others > 0) {
            throw new StoreInUseException(store.place(), "instances that have it open: " + others);
        }
    }

    private void requireUnchanged(String state) {
        if (!source.activity().state().equals(state)) {
            throw new CopySourceChangedException(source.place());
        }
    }

    private void begin(Phase next) {
        phase = next;
        begun = System.nanoTime();
    }

    /** Reads all rows of a store. */
    private ContentSums read(CopySource store, Consumer<CopyPage> each) {
        ContentSums seen = new ContentSums();
        for (Kind kind : Kind.values()) {
            pages(store, kind, page -> {
                seen.add(page);
                each.accept(page);
                progress(seen);
            });
        }
        progress(seen); // also if there is nothing
        return seen;
    }

    private static void pages(CopySource store, Kind kind, Consumer<CopyPage> each) {
        CopyPage page = store.page(kind, Place.START);
        while (!page.isEmpty()) {
            each.accept(page);
            page = store.page(kind, page.last());
        }
    }

    private void write(CopyPage page) {
        if (!page.isEmpty()) {
            target.write(page);
        }
    }

    private void progress(ContentSums seen) {
        if (Thread.currentThread().isInterrupted()) {
            throw new StoreInterruptedException(
                    "The copy to " + target.place() + " was interrupted",
                    "Copy again into the same target, which continues it");
        }
        listener.accept(new CopyProgress(phase, seen.count(), total, Duration.ofNanos(System.nanoTime() - begun)));
    }

    /** Leaves out the entries that an earlier run has written as they are. */
    private CopyPage changes(CopyPage page) {
        if (page.entries().isEmpty()) {
            return page;
        }
        Map<RowKey, Row> present = target.find(keys(page));
        return CopyPage.ofChanges(page.entries().stream()
                .map(change -> new RowChange(present.get(change.key()), change.after()))
                .filter(change -> !areEqual(requireNonNull(change.after()), change.before()))
                .toList());
    }

    /** Removes the entries of an earlier run that the source does not have any more. */
    private CopyPage surplus(CopyPage page) {
        Map<RowKey, Row> kept = source.find(keys(page));
        return CopyPage.ofChanges(page.entries().stream()
                .filter(change -> !kept.containsKey(change.key()))
                .map(change -> new RowChange(change.after(), null))
                .toList());
    }

    private static List<RowKey> keys(CopyPage page) {
        return page.entries().stream().map(RowChange::key).toList();
    }

    private static boolean areEqual(Row row, @Nullable Row other) {
        return other != null && row.version() == other.version() && row.isCopyOf(other);
    }
}
