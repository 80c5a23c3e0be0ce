package dev.ttlstore.spring.diagnostics;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import dev.ttlstore.exception.EngineVersionException;
import dev.ttlstore.exception.MissingLibraryException;
import dev.ttlstore.exception.NativeLibraryException;
import dev.ttlstore.exception.NewerStoreException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.exception.StoreLockedException;
import dev.ttlstore.exception.StorePathException;

/** Says what has kept the store from being opened or used at the start, and by which property or dependency to mend it. */
final class StoreFailureAnalyzer extends AbstractFailureAnalyzer<StoreException> {

    private static final String CAFFEINE = "com.github.ben-manes.caffeine:caffeine";
    private static final String TINK = "com.google.crypto.tink:tink";

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StoreException cause) {
        return new FailureAnalysis(Sentences.end(cause.problem()), action(cause), cause);
    }

    private static @Nullable String action(StoreException cause) {
        if (cause instanceof StoreLockedException locked) {
            return locked.isSameProcess() ? closeTheOther() : stopTheOther();
        }
        if (cause instanceof NewerStoreException) {
            return "Run that version or a later one, restore a backup that this version has made, or begin with another"
                    + " file, by the property 'store.path'.";
        }
        if (cause instanceof NativeLibraryException) {
            return anotherFolderForPrograms();
        }
        if (cause instanceof EngineVersionException version) {
            return "Use the dependency org.xerial:sqlite-jdbc in version " + version.firstSafeVersion()
                    + ".0 or later. With Spring Boot's dependency management the build property 'sqlite-jdbc.version' sets"
                    + " it; leave that out for the one that Boot has.";
        }
        if (cause instanceof MissingLibraryException missing) {
            return addDependency(missing.library());
        }
        String remedy = cause.remedy();
        if (remedy == null) {
            return null;
        }
        return cause instanceof StorePathException || cause instanceof StoreFormatException
                ? Sentences.end(remedy) + " The property 'store.path' says where the store is."
                : Sentences.end(remedy);
    }

    private static String stopTheOther() {
        return "Stop the other process, or give this application a store of its own with the property 'store.path'."
                + " If the other one is about to end, have the start wait for it longer with 'store.lock-timeout'.";
    }

    /** Most often it is a test's context, which stays open for the tests to come. */
    private static String closeTheOther() {
        return "Close the other store first, or give this one a file of its own with the property 'store.path'."
                + " Contexts that tests keep open side by side need one each, such as"
                + " 'store.path=target/store-${random.uuid}.db'.";
    }

    private static String anotherFolderForPrograms() {
        return "If the folder does not allow programs (it is mounted noexec), or cannot be written, start the JVM with"
                + " -Dorg.sqlite.tmpdir=<another folder>, or -Djava.io.tmpdir for all temporary files. These are system"
                + " properties: in application.properties they have no effect. Else see what the driver has logged.";
    }

    private static String addDependency(String library) {
        if (library.equals(TINK)) {
            return "Add the dependency " + TINK
                    + " in version 1.24.0 or later, or declare a ValueCipher bean, or have nothing"
                    + " encrypted by leaving out 'store.encryption.groups'.";
        }
        String add = "Add the dependency " + library + ", of which Spring Boot manages the version";
        return library.equals(CAFFEINE) ? add + ", or do without the cache: 'store.near-cache.max-size=0'." : add + ".";
    }
}
