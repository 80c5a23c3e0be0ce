package dev.ttlstore.export;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;

import dev.ttlstore.Store;
import dev.ttlstore.exception.ImportLineException;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.exception.StoreInterruptedException;
import dev.ttlstore.exception.StorePathException;

/**
 * Imports entries from lines of JSON, as {@link StoreExport} writes them, beside readers and writers. It checks all
 * lines before it puts the first entry. Entries keep their times and their expiry. They get new versions, because a
 * store never uses a version twice. The import leaves out expired entries. It puts some hundred entries in a commit,
 * and publishes an event for each.
 *
 * <pre>{@code
 * ImportResult result = StoreImport.into(store).replaceExisting(true).fromFile(Path.of("config.jsonl"));
 * }</pre>
 *
 * <p>You can run an import again: it skips the entries that the store already has. To continue an import that was
 * interrupted or killed, run it again.
 *
 * <p>Each method returns an import with another setting. Immutable, so thread-safe. The memory that it needs does not depend on the
 * size of the file.
 *
 * @since 0.1
 * @see StoreExport
 * @see ImportResult
 */
public final class StoreImport {

    private final Store store;
    private final boolean replace;
    private final Consumer<? super TransferProgress> progress;

    private StoreImport(Store store, boolean replace, Consumer<? super TransferProgress> progress) {
        this.store = store;
        this.replace = replace;
        this.progress = progress;
    }

    /**
     * Begins with the store.
     *
     * @param store the store, which stays open
     * @return an import that keeps existing entries
     */
    public static StoreImport into(Store store) {
        Objects.requireNonNull(store, "'store' must not be null");
        return new StoreImport(store, false, progress -> {});
    }

    /**
     * Sets what happens to an entry that exists and differs from the one in the file.
     *
     * @param replaced whether it is replaced; false by default, which keeps it
     * @return an import with this setting
     */
    public StoreImport replaceExisting(boolean replaced) {
        return new StoreImport(store, replaced, progress);
    }

    /**
     * Sets a listener for the progress. The importing thread calls it at the beginning of each phase, after each commit
     * or some hundred lines, and at the end.
     *
     * @param listener receives the progress; if it throws, the import ends and can be continued later
     * @return an import with this setting
     */
    public StoreImport onProgress(Consumer<? super TransferProgress> listener) {
        Objects.requireNonNull(listener, "'listener' must not be null");
        return new StoreImport(store, replace, listener);
    }

    /**
     * Imports a file.
     *
     * @param source the file
     * @return the counts of created, replaced and skipped entries
     * @throws ImportLineException if a line is not an entry, and nothing was written; or if an entry cannot be put, such as beyond a
     *     quota, and those before it are written
     * @throws StorePathException if the file cannot be read, or is none, such as a pipe; see {@link #fromStream}
     * @throws StoreInterruptedException if the thread is interrupted; its interrupt status stays set
     */
    public ImportResult fromFile(Path source) {
        Objects.requireNonNull(source, "'source' must not be null");
        try (ImportSource file = new ImportSource.OfFile(source.toAbsolutePath().normalize())) {
            return run(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is closed that could fail
        }
    }

    /**
     * Imports a stream, such as the standard input. To check all lines before it puts the first entry, it copies the
     * stream to a temporary file in the folder {@code java.io.tmpdir}. Only this user can read the file, and the import
     * deletes it at the end.
     *
     * @param source the stream, which is read to its end and stays open
     * @return the counts of created, replaced and skipped entries
     * @throws ImportLineException as in {@link #fromFile}
     * @throws StorePathException if the stream cannot be read, or the temporary file cannot be written
     * @throws StoreFullException if there is no room for the temporary file, and nothing was written
     * @throws StoreInterruptedException if the thread is interrupted; its interrupt status stays set
     */
    public ImportResult fromStream(InputStream source) {
        Objects.requireNonNull(source, "'source' must not be null");
        try (ImportSource stream = new ImportSource.OfStream(source)) {
            return run(stream);
        } catch (IOException e) {
            Path folder = Path.of(System.getProperty("java.io.tmpdir", "."));
            throw new StorePathException(
                    folder,
                    "The temporary file of an import cannot be created or removed in " + folder + ": " + e.getMessage(),
                    "Set 'java.io.tmpdir' to a folder where this user may write",
                    e);
        }
    }

    private ImportResult run(ImportSource source) {
        return new Importing(store.stored(), replace, progress, source).run();
    }
}
