package dev.ttlstore.export;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.StoredEntries;
import dev.ttlstore.StoredEntries.Outcome;
import dev.ttlstore.StoredEntry;
import dev.ttlstore.exception.ImportLineException;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.exception.StoreInterruptedException;
import dev.ttlstore.exception.ValueTooLargeException;
import dev.ttlstore.export.EntryLines.MalformedLineException;
import dev.ttlstore.export.TransferProgress.Phase;

/** One run of an import. Used by one thread. */
final class Importing {

    private static final int ENTRIES_PER_COMMIT = 256;
    private static final int BYTES_PER_COMMIT = 1024 * 1024;

    private final EntryLines lines = new EntryLines();
    private final StoredEntries stored;
    private final boolean replace;
    private final Consumer<? super TransferProgress> listener;
    private final ImportSource source;

    private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    private final List<Line> pending = new ArrayList<>();
    private int pendingBytes;

    private Phase phase = Phase.VALIDATING;
    private long begun = System.nanoTime();
    private long entries;
    private long total;
    private long read;

    /** An entry, and where it comes from. */
    private record Line(long number, StoredEntry entry) {}

    Importing(StoredEntries stored, boolean replace, Consumer<? super TransferProgress> listener, ImportSource source) {
        this.stored = stored;
        this.replace = replace;
        this.listener = listener;
        this.source = source;
    }

    ImportResult run() {
        long start = System.nanoTime();
        try {
            total = source.size();
            read(Phase.VALIDATING, source.first(), line -> entries % ENTRIES_PER_COMMIT == 0);
            total = Math.max(total, read);
            read(Phase.IMPORTING, source.again(), line -> {
                pending.add(line);
                pendingBytes += line.entry().value().length;
                boolean full = pending.size() == ENTRIES_PER_COMMIT || pendingBytes >= BYTES_PER_COMMIT;
                if (full) {
                    put();
                }
                return full;
            });
        } catch (IOException e) {
            throw source.unreadable(e);
        }
        return new ImportResult(
                count(Outcome.CREATED),
                count(Outcome.REPLACED),
                count(Outcome.UNCHANGED),
                count(Outcome.KEPT),
                count(Outcome.EXPIRED),
                Duration.ofNanos(System.nanoTime() - start));
    }

    private long count(Outcome outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }

    /** Passes the entries to a sink, which returns whether it is time to tell the progress. */
    private void read(Phase next, InputStream stream, Predicate<Line> sink) throws IOException {
        phase = next;
        begun = System.nanoTime();
        entries = 0;
        try (LineReader in = new LineReader(stream, stored.maxValueSize())) {
            progress(0);
            for (Line line = next(in); line != null; line = next(in)) {
                entries++;
                if (sink.test(line)) {
                    progress(in.bytes());
                }
            }
            put();
            progress(in.bytes());
            read = in.bytes();
        }
    }

    private @Nullable Line next(LineReader in) throws IOException {
        try {
            byte[] line = in.next();
            if (line == null) {
                return null;
            }
            StoredEntry entry = lines.read(line);
            stored.check(entry);
            return new Line(in.number(), entry);
        } catch (MalformedLineException e) {
            throw failure(in.number(), String.valueOf(e.getMessage()), null);
        } catch (IllegalArgumentException | ValueTooLargeException e) {
            throw failure(in.number(), String.valueOf(e.getMessage()), e);
        }
    }

    private ImportLineException failure(long line, String problem, @Nullable Throwable cause) {
        String written = phase == Phase.VALIDATING ? "Nothing was written" : "Lines before it were written";
        return new ImportLineException(
                source.name(), line, problem, written + "; correct the line, and import the file again", cause);
    }

    private void put() {
        if (pending.isEmpty()) {
            return;
        }
        try {
            count(stored.put(pending.stream().map(Line::entry).toList(), replace));
        } catch (StoreFullException e) {
            throw new StoreFullException(
                    "There is no room for line " + pending.get(0).number() + " of " + source.name()
                            + " and those after it; the lines before it are imported. Make room, and import the file again",
                    e);
        } catch (QuotaExceededException e) { // of all together, so find out which one it is
            for (Line line : pending) {
                putAlone(line);
            }
        }
        pending.clear();
        pendingBytes = 0;
    }

    private void putAlone(Line line) {
        try {
            count(stored.put(List.of(line.entry()), replace));
        } catch (QuotaExceededException e) {
            throw failure(line.number(), String.valueOf(e.getMessage()), e);
        }
    }

    private void count(List<Outcome> found) {
        found.forEach(outcome -> outcomes.merge(outcome, 1L, Long::sum));
    }

    private void progress(long bytes) {
        if (Thread.currentThread().isInterrupted()) {
            throw new StoreInterruptedException(
                    "The import of " + source.name() + " was interrupted", "Run it again to continue");
        }
        listener.accept(new TransferProgress(
                phase, entries, bytes, Math.max(total, bytes), Duration.ofNanos(System.nanoTime() - begun)));
    }
}
