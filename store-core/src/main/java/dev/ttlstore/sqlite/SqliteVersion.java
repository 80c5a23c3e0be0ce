package dev.ttlstore.sqlite;

import java.lang.module.ModuleDescriptor.Version;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.EngineVersionException;

/** Which versions of SQLite a store is safe with. */
final class SqliteVersion {

    /** From 3.7.0 on until this one, a checkpoint could under rare circumstances corrupt a database in WAL mode. */
    private static final Version FIRST_SAFE = Version.parse("3.51.3");

    private SqliteVersion() {}

    static void requireSafe(String version) {
        if (Version.parse(version).compareTo(FIRST_SAFE) < 0) {
            throw tooOld(version, "SQLite " + version + " can corrupt a database in WAL mode", null);
        }
    }

    /** A driver that has not what the store calls. */
    static EngineVersionException tooOld(String driverVersion, LinkageError cause) {
        return tooOld(
                driverVersion,
                "SQLite's driver is " + driverVersion + ", which lacks features that the store needs",
                cause);
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
}
