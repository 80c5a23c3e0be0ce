package dev.ttlstore.sqlite;

import java.lang.module.ModuleDescriptor.Version;

import dev.ttlstore.EngineVersionException;

/** Which versions of SQLite a store is safe with. */
final class SqliteVersion {

    /** From 3.7.0 on until this one, a checkpoint could under rare circumstances corrupt a database in WAL mode. */
    private static final Version FIRST_SAFE = Version.parse("3.51.3");

    private SqliteVersion() {}

    static void requireSafe(String version) {
        if (Version.parse(version).compareTo(FIRST_SAFE) < 0) {
            throw new EngineVersionException(
                    version,
                    FIRST_SAFE.toString(),
                    "SQLite " + version + " can corrupt a database in WAL mode",
                    "Use org.xerial:sqlite-jdbc in version " + FIRST_SAFE
                            + ".0 or later (an older one is on the class path)");
        }
    }
}
