package dev.ttlstore.sqlite;

import java.lang.module.ModuleDescriptor.Version;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.EngineVersionException;

/** Checks that the version of SQLite is safe for a store. */
final class SqliteVersion {

    /**
     * The first safe version. In all versions from 3.7.0 up to this one, a checkpoint could, in rare cases, corrupt a
     * database in WAL mode.
     */
    private static final Version FIRST_SAFE = Version.parse("3.51.3");

    private SqliteVersion() {}

    static void requireSafe(String version) {
        if (Version.parse(version).compareTo(FIRST_SAFE) < 0) {
            throw tooOld(version, "SQLite " + version + " can corrupt a database in WAL mode", null);
        }
    }

    /** Creates the exception for a driver that lacks a method that the store calls. */
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
