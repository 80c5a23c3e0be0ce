package dev.ttlstore.spring.diagnostics;

import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import dev.ttlstore.exception.CopyTargetException;
import dev.ttlstore.exception.EngineVersionException;
import dev.ttlstore.exception.MissingLibraryException;
import dev.ttlstore.exception.NativeLibraryException;
import dev.ttlstore.exception.NewerStoreException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.exception.StoreLockedException;
import dev.ttlstore.exception.StorePathException;
import dev.ttlstore.exception.StoreUnavailableException;
import dev.ttlstore.exception.UnfinishedCopyException;
import dev.ttlstore.spring.encryption.StoreKeysetException;

/** Reports why the store cannot be opened or used at start-up, and the property or dependency that fixes it. */
final class StoreFailureAnalyzer extends AbstractFailureAnalyzer<StoreException> {

    private static final String CAFFEINE = "com.github.ben-manes.caffeine:caffeine";
    private static final String TINK = "com.google.crypto.tink:tink";

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StoreException cause) {
        return new FailureAnalysis(Sentences.end(problem(cause)), guide(cause).after(action(cause)), cause);
    }

    private static Guide guide(StoreException cause) {
        if (cause instanceof CopyTargetException || cause instanceof UnfinishedCopyException) {
            return Guide.MOVING;
        }
        if (cause instanceof StoreKeysetException) {
            return Guide.ENCRYPTION;
        }
        return DatabaseRemedies.of(cause) == null ? Guide.TROUBLESHOOTING : Guide.INSTANCES;
    }

    private static String problem(StoreException cause) {
        return cause instanceof StoreUnavailableException ? DatabaseRemedies.withReason(cause) : cause.problem();
    }

    private static @Nullable String action(StoreException cause) {
        if (cause instanceof StoreLockedException locked) {
            return locked.isSameProcess() ? closeTheOther() : stopTheOther();
        }
        if (cause instanceof NewerStoreException) {
            return "Run that version or a later one, restore a backup that this version has made, or start with another"
                    + " file, by the property 'store.path'.";
        }
        if (cause instanceof NativeLibraryException) {
            return anotherFolderForPrograms();
        }
        if (cause instanceof EngineVersionException version) {
            return "Use the dependency org.xerial:sqlite-jdbc in version " + version.firstSafeVersion()
                    + ".0 or later. With Spring Boot's dependency management, the build property 'sqlite-jdbc.version'"
                    + " sets the version; remove that property to use Boot's version.";
        }
        if (cause instanceof MissingLibraryException missing) {
            return addDependency(missing.library());
        }
        if (cause instanceof CopyTargetException) {
            return Sentences.end(Objects.requireNonNull(cause.remedy()))
                    + " The properties 'store.path' and 'store.postgresql.schema' set where 'store.copy-to' copies to.";
        }
        if (cause instanceof UnfinishedCopyException) {
            return "Run the application with 'store.copy-to' again, which continues the copy. Or go back to the store that was"
                    + " to be copied: 'store.engine', 'store.path' and 'store.postgresql.schema' say where the store is.";
        }
        String ofDatabase = DatabaseRemedies.of(cause);
        String remedy = cause.remedy();
        if (ofDatabase != null || remedy == null) {
            return ofDatabase;
        }
        return cause instanceof StorePathException || cause instanceof StoreFormatException
                ? Sentences.end(remedy) + " The property 'store.path' sets the location of the store."
                : Sentences.end(remedy);
    }

    private static String stopTheOther() {
        return "Stop the other process, or give this application its own store with the property 'store.path'."
                + " If the other process is about to end, let the start wait longer with 'store.lock-timeout'.";
    }

    /** Usually the other store is in the context of a test, which stays open for later tests. */
    private static String closeTheOther() {
        return "Close the other store first, or give this one its own file with the property 'store.path'."
                + " Test contexts that are open at the same time need a file each, such as"
                + " 'store.path=target/store-${random.uuid}.db'.";
    }

    private static String anotherFolderForPrograms() {
        return "If the folder forbids programs (it is mounted noexec) or is not writable, start the JVM with"
                + " -Dorg.sqlite.tmpdir=<another folder>, or -Djava.io.tmpdir for all temporary files. These are system"
                + " properties: in application.properties they have no effect. Otherwise see the driver's log output.";
    }

    private static String addDependency(String library) {
        if (library.equals(TINK)) {
            return "Add the dependency " + TINK
                    + " in version 1.24.0 or later, or declare a ValueCipher bean, or turn encryption off by removing"
                    + " 'store.encryption.groups'.";
        }
        String add = "Add the dependency " + library + ", whose version Spring Boot manages";
        return library.equals(CAFFEINE) ? add + ", or turn the cache off: 'store.near-cache.max-size=0'." : add + ".";
    }
}
