package dev.ttlstore.export;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Iterator;
import java.util.function.Consumer;

import dev.ttlstore.Store;
import dev.ttlstore.StoredEntries;
import dev.ttlstore.StoredEntry;
import dev.ttlstore.exception.StoreInterruptedException;

/** One run of an export. Used by one thread. */
final class Exporting {

    private static final int ENTRIES_PER_STEP = 256;
    private static final int BYTES_PER_STEP = 1024 * 1024;
    private static final int BUFFER = 64 * 1024;

    private final EntryLines lines = new EntryLines();
    private final Store store;
    private final Selection selection;
    private final Consumer<? super TransferProgress> listener;
    private final OutputStream out;
    private final long begun = System.nanoTime();

    private long entries;
    private long bytes;
    private long total;
    private int stepEntries;
    private int stepBytes;

    /**
     * How far earlier runs have come.
     *
     * @param entries how many entries they have written
     * @param bytes how many bytes
     * @param group the group of the last entry; empty if there is none
     * @param key its key
     */
    record ResumePoint(long entries, long bytes, String group, String key) {

        /** Nothing was written. */
        static final ResumePoint START = new ResumePoint(0, 0, "", "");
    }

    Exporting(Store store, Selection selection, Consumer<? super TransferProgress> listener, OutputStream out) {
        this.store = store;
        this.selection = selection;
        this.listener = listener;
        this.out = new BufferedOutputStream(out, BUFFER);
    }

    /** Writes what comes after a place. */
    ExportResult run(ResumePoint last) throws IOException {
        total = Math.max(selection.count(store), last.entries());
        entries = last.entries();
        bytes = last.bytes();
        progress();
        StoredEntries stored = store.stored();
        Iterator<String> groups = selection.groups(stored, last.group()).iterator();
        while (groups.hasNext()) {
            String group = groups.next();
            Iterator<StoredEntry> page = stored.entries(group, group.equals(last.group()) ? last.key() : "")
                    .iterator();
            while (page.hasNext()) {
                write(page.next());
            }
        }
        out.flush();
        progress();
        return new ExportResult(entries, last.entries(), bytes, elapsed());
    }

    private void write(StoredEntry entry) throws IOException {
        byte[] line = lines.write(entry);
        out.write(line);
        entries++;
        bytes += line.length;
        stepEntries++;
        stepBytes += line.length;
        if (stepEntries >= ENTRIES_PER_STEP || stepBytes >= BYTES_PER_STEP) {
            progress();
        }
    }

    private void progress() {
        stepEntries = 0;
        stepBytes = 0;
        if (Thread.currentThread().isInterrupted()) {
            throw new StoreInterruptedException(
                    "The export of " + selection + " was interrupted", "Run it again to continue");
        }
        listener.accept(new TransferProgress(
                TransferProgress.Phase.EXPORTING, entries, entries, Math.max(total, entries), elapsed()));
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - begun);
    }
}
