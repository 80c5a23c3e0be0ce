package dev.ttlstore.export;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;

import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.exception.StoreInterruptedException;
import dev.ttlstore.exception.StorePathException;

/**
 * Exports live entries as lines of JSON, beside readers and writers.
 *
 * <pre>{@code
 * StoreExport.of(store).group("config").toFile(Path.of("config.jsonl"));
 * }</pre>
 *
 * <p>Each line is an entry:
 *
 * <pre class="language-json">{@code
 * {"group":"config","key":"theme","value":"dark","version":42,"createdAt":"2026-01-31T12:00:00Z","updatedAt":"2026-01-31T12:00:00Z"}
 * }</pre>
 *
 * <p>A value that is not text is written as {@code base64}, and an entry that expires has {@code expiresAt}. Values of
 * encrypted groups stay sealed. All other values are in the file in plain text, so protect it like the store. Lines are
 * in the order of groups and keys. An export is not a snapshot: it reads entries page by page while others write. For a
 * snapshot, use {@link Store#backup}.
 *
 * <p>Each method returns an export with another setting. Immutable, so thread-safe. The memory that it needs does not depend on the
 * size of the store.
 *
 * @since 0.1
 * @see StoreImport
 * @see ExportResult
 * @see dev.ttlstore.Store#backup
 * @see dev.ttlstore.StoreCopy
 */
public final class StoreExport {

    private final Store store;
    private final Selection selection;
    private final Consumer<? super TransferProgress> progress;

    private StoreExport(Store store, Selection selection, Consumer<? super TransferProgress> progress) {
        this.store = store;
        this.selection = selection;
        this.progress = progress;
    }

    /**
     * Begins with the store.
     *
     * @param store the store, which stays open
     * @return an export of all groups
     */
    public static StoreExport of(Store store) {
        Objects.requireNonNull(store, "'store' must not be null");
        return new StoreExport(store, Selection.ALL, progress -> {});
    }

    /**
     * Exports one group only.
     *
     * @param fullName its full name; for a group in a scope {@code namespace:name}
     * @return an export with this setting
     * @throws IllegalArgumentException if it is not the name of a group
     */
    public StoreExport group(String fullName) {
        Objects.requireNonNull(fullName, "'fullName' must not be null");
        TextGroup unused = store.group(fullName); // checks the name
        return new StoreExport(store, new Selection(fullName, true), progress);
    }

    /**
     * Exports the groups of one scope only.
     *
     * @param namespace the namespace of the scope
     * @return an export with this setting
     * @throws IllegalArgumentException if it is not a namespace
     */
    public StoreExport scope(String namespace) {
        Scope scope = store.scope(namespace);
        return new StoreExport(store, new Selection(scope.namespace() + ":", false), progress);
    }

    /**
     * Sets a listener for the progress. The exporting thread calls it at the beginning, after each 256 entries or each
     * megabyte, and at the end.
     *
     * @param listener receives the progress; if it throws, the export ends and can be continued later
     * @return an export with this setting
     */
    public StoreExport onProgress(Consumer<? super TransferProgress> listener) {
        Objects.requireNonNull(listener, "'listener' must not be null");
        return new StoreExport(store, selection, listener);
    }

    /**
     * Exports to a file that only the owner can read. The name of the file ends with {@code .partial} until the file is
     * complete and on the disk. If an earlier run has left such a part, the export continues after its last complete
     * line. It starts from the beginning if the store no longer has the entry of that line unchanged.
     *
     * @param target the file to create, which must not exist
     * @return the result of the export
     * @throws StorePathException if the file exists or cannot be created, if another export is writing it, or if the
     *     part belongs to a different export
     * @throws StoreFullException if the disk is full; the part is kept
     * @throws StoreInterruptedException if the thread is interrupted; its interrupt status stays set, and the part is
     *     kept
     */
    public ExportResult toFile(Path target) {
        Objects.requireNonNull(target, "'target' must not be null");
        return new ExportFile(target.toAbsolutePath().normalize(), selection, store, progress).write();
    }

    /**
     * Exports to a stream, such as the standard output. It is flushed and not closed.
     *
     * @param out the stream
     * @return the result of the export
     * @throws IOException if the stream cannot be written
     * @throws StoreInterruptedException if the thread is interrupted; its interrupt status stays set
     * @throws StoreException if the store cannot be read
     */
    public ExportResult writeTo(OutputStream out) throws IOException {
        Objects.requireNonNull(out, "'out' must not be null");
        return new Exporting(store, selection, progress, out).run(Exporting.ResumePoint.START);
    }
}
