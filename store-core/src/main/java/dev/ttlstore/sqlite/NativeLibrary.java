package dev.ttlstore.sqlite;

import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.exception.EngineVersionException;
import dev.ttlstore.exception.NativeLibraryException;
import dev.ttlstore.exception.StoreEngineException;

/**
 * Loads SQLite's native library at its first use. An interrupt aborts the driver while it unpacks the library, and
 * the driver never tries again. So the library is loaded in a thread that nobody interrupts.
 */
final class NativeLibrary {

    /** The folder where the driver looks for the library first, and the library's name in it. */
    private static final String PATH_PROPERTY = "org.sqlite.lib.path";

    private static final String NAME_PROPERTY = "org.sqlite.lib.name";

    private static boolean loaded;

    /**
     * Creates the exception for later attempts. Nothing changes within this process, and the driver logs each attempt
     * at length.
     */
    private static @Nullable Supplier<StoreEngineException> refusal;

    /**
     * The first safe version. In all versions from 3.7.0 up to this one, a checkpoint could, in rare cases, corrupt a
     * database in WAL mode.
     */
    private static final Version FIRST_SAFE = Version.parse("3.51.3");

    private NativeLibrary() {}

    /**
     * Loads the library, and returns when it is loaded.
     *
     * @throws StoreEngineException if it cannot be loaded, or the driver itself is missing; the driver's own exception at the
     *     opening does not name the cause
     */
    static synchronized void load() {
        if (loaded) {
            return;
        }
        if (refusal != null) {
            throw refusal.get();
        }
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread loader = BackgroundThreads.named("ttl-store-load").newThread(() -> unpack(failure));
        loader.start();
        Deadline.none().await(loader);
        Throwable cause = failure.get();
        if (cause == null) {
            loaded = true;
        } else if (cause instanceof VirtualMachineError error) {
            throw error; // the next opening tries again
        } else if (cause instanceof NoClassDefFoundError missing) {
            throw notLinked(missing);
        } else {
            refusal = () -> cause instanceof StoreEngineException told
                    ? new StoreEngineException(told.problem(), String.valueOf(told.remedy()), told)
                    : notLoaded(cause);
            throw refusal.get();
        }
    }

    private static void unpack(AtomicReference<@Nullable Throwable> failure) {
        try {
            requireLoadable();
            SQLiteJDBCLoader.initialize();
        } catch (Throwable e) { // reported by the thread that waits
            failure.set(e);
        }
    }

    /**
     * Checks for the usual problems before the driver does, because the driver logs each of its attempts with a stack
     * trace.
     */
    private static void requireLoadable() throws IOException {
        String name = System.getProperty(NAME_PROPERTY, LibraryLoaderUtil.getNativeLibName());
        String path = System.getProperty(PATH_PROPERTY);
        if (path != null) {
            requireNamedLibrary(Path.of(path), name);
        } else if (LibraryLoaderUtil.hasNativeLib(LibraryLoaderUtil.getNativeLibResourcePath(), name)) {
            requireFolderForPrograms(folder());
        } else {
            requireInstalledLibrary(name);
        }
    }

    private static void requireNamedLibrary(Path folder, String name) {
        if (!Files.isReadable(folder.resolve(name))) {
            throw new StoreEngineException(
                    "The system property " + PATH_PROPERTY + " loads SQLite's native library from " + folder
                            + ", but there is no file " + name + " that can be read",
                    "Correct that property or " + NAME_PROPERTY
                            + ", or omit both to use the library that comes with the driver",
                    null);
        }
    }

    private static void requireInstalledLibrary(String name) {
        String installed = System.getProperty("java.library.path", "");
        for (String folder : installed.split(Pattern.quote(File.pathSeparator), -1)) {
            if (Files.isReadable(Path.of(folder, name))) {
                return;
            }
        }
        throw new StoreEngineException(
                "SQLite's driver has no native library " + name + " for " + System.getProperty("os.name") + " on "
                        + System.getProperty("os.arch") + ", and java.library.path has none",
                "Correct " + NAME_PROPERTY
                        + " if it is set. Otherwise use a platform that the driver supports, or build the library"
                        + " for this one and name its folder with the system property " + PATH_PROPERTY,
                null);
    }

    /**
     * Checks that files in a folder can be executed. On a disk that is mounted noexec they cannot, whatever their
     * permissions.
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

    /**
     * Returns the exception for a missing driver, a driver without a method of later versions, or a missing native
     * library.
     */
    static StoreEngineException notLinked(LinkageError e) {
        if (e instanceof NoClassDefFoundError) {
            return new StoreEngineException(
                    "SQLite's driver cannot be found or started",
                    "Add org.xerial:sqlite-jdbc to the class path if it is missing",
                    e);
        }
        if (!(e instanceof IncompatibleClassChangeError)) {
            return notLoaded(e);
        }
        String version = SQLiteJDBCLoader.getVersion();
        return tooOld(version, "SQLite's driver is " + version + ", which lacks features that the store needs", e);
    }

    /** Refuses a version of SQLite that is not safe for a store. */
    static void requireSafe(String version) {
        if (Version.parse(version).compareTo(FIRST_SAFE) < 0) {
            throw tooOld(version, "SQLite " + version + " can corrupt a database in WAL mode", null);
        }
    }

    private static EngineVersionException tooOld(String version, String problem, @Nullable LinkageError cause) {
        return new EngineVersionException(
                version,
                FIRST_SAFE.toString(),
                problem,
                "Use org.xerial:sqlite-jdbc in version " + FIRST_SAFE
                        + ".0 or later (an older one is on the class path)",
                cause);
    }

    private static NativeLibraryException notLoaded(Throwable cause) {
        Path folder = folder();
        return new NativeLibraryException(
                folder,
                "SQLite's native library cannot be unpacked to the folder for temporary files, " + folder
                        + ", and loaded from there",
                "If that folder does not allow programs (it is mounted noexec), or cannot be written, name another"
                        + " one with the system property org.sqlite.tmpdir. Otherwise see the driver's messages in the log",
                cause);
    }

    /** Returns the folder to which the driver unpacks the library. */
    private static Path folder() {
        return Path.of(System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir", "")))
                .toAbsolutePath();
    }
}
