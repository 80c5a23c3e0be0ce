package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteJDBCLoader;

import dev.ttlstore.NativeLibraryException;

/**
 * Loads SQLite's native library at the first use. The driver unpacks it in a way that an interrupt breaks off, and after that
 * never tries again; so it is done in a thread that nobody interrupts.
 */
final class NativeLibrary {

    private static boolean loaded;

    private NativeLibrary() {}

    /**
     * Returns when the library has been loaded. That the driver is missing altogether is told by the opening.
     *
     * @throws NativeLibraryException if it cannot be loaded; what the driver throws at the opening says nothing of that
     */
    static synchronized void load() {
        if (loaded) {
            return;
        }
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread loader = new Thread(() -> unpack(failure), "ttl-store-load");
        loader.setDaemon(true);
        loader.start();
        awaitEnd(loader);
        Throwable cause = failure.get();
        if (cause != null && !(cause instanceof NoClassDefFoundError)) {
            throw notLoaded(cause);
        }
        loaded = cause == null;
    }

    private static void unpack(AtomicReference<@Nullable Throwable> failure) {
        try {
            if (System.getProperty("org.sqlite.lib.path") == null) {
                requireFolderForPrograms(folder());
            }
            SQLiteJDBCLoader.initialize();
        } catch (Exception | LinkageError e) {
            failure.set(e);
        }
    }

    /**
     * Tries the folder before the driver does, which logs each of its attempts with its stack trace before it gives up. On a
     * disk that is mounted noexec a file is not executable, whatever its rights.
     */
    private static void requireFolderForPrograms(Path folder) throws IOException {
        Path probe = Files.createTempFile(folder, "ttl-store-", ".so");
        try {
            if (probe.toFile().setExecutable(true) && !Files.isExecutable(probe)) {
                throw new IOException("Programs may not be run from " + folder);
            }
        } finally {
            Files.delete(probe);
        }
    }

    static NativeLibraryException notLoaded(Throwable cause) {
        Path folder = folder();
        return new NativeLibraryException(
                folder,
                "SQLite's native library cannot be unpacked to the folder for temporary files, " + folder
                        + ", and loaded from there",
                "If that folder does not allow programs (it is mounted noexec), or cannot be written, name another one with"
                        + " the system property org.sqlite.tmpdir. Else the log has what the driver says of it",
                cause);
    }

    /** Where the driver unpacks it. */
    private static Path folder() {
        return Path.of(System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir", "")))
                .toAbsolutePath();
    }

    private static void awaitEnd(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
