package dev.ttlstore.benchmark.peer;

import java.nio.file.Path;
import java.time.InstantSource;

import dev.ttlstore.Durability;

/** A peer with its settings, and what a put has survived by its maker's word when it returns. */
public enum Configuration {
    /** Without a near cache, so that what the store does is measured and not what it leaves out. */
    TTL_STORE(
            "TTL Store",
            "yes",
            "the last writes may be lost",
            (at, clock) -> TtlStore.open(at, Durability.NORMAL, 0, clock)),
    /** Each put waits for the disk. */
    TTL_STORE_FULL("TTL Store, FULL", "yes", "yes", (at, clock) -> TtlStore.open(at, Durability.FULL, 0, clock)),
    /** With a near cache that holds all of the data. */
    TTL_STORE_CACHED(
            "TTL Store, near cache",
            "yes",
            "the last writes may be lost",
            (at, clock) -> TtlStore.open(at, Durability.NORMAL, TtlStore.AMPLE_CACHE, clock)),
    /** With the near cache that a user gets who sets nothing. */
    TTL_STORE_DEFAULT(
            "TTL Store, default near cache",
            "yes",
            "the last writes may be lost",
            (at, clock) -> TtlStore.openWithDefaultCache(at, Durability.NORMAL, clock)),
    /** The floor that TTL Store stands on. */
    SQLITE(
            "SQLite, synchronous=NORMAL",
            "yes",
            "the last writes may be lost",
            (at, clock) -> new RawSqlite(at, "NORMAL", clock)),
    /** The same, waiting for the disk. */
    SQLITE_FULL("SQLite, synchronous=FULL", "yes", "yes", (at, clock) -> new RawSqlite(at, "FULL", clock)),
    /** The plainest table by hand, with one connection and one lock. */
    PLAIN(
            "SQLite, one plain table",
            "yes",
            "the last writes may be lost",
            (at, clock) -> new PlainSqlite(at, "NORMAL", clock)),
    /** The same, waiting for the disk. */
    PLAIN_FULL("SQLite, one plain table, FULL", "yes", "yes", (at, clock) -> new PlainSqlite(at, "FULL", clock)),
    /** Write-ahead log without waiting for the disk, RocksDB's default. */
    ROCKSDB("RocksDB TtlDB", "yes", "the last writes may be lost", (at, clock) -> new RocksTtl(at, false)),
    /** Each put waits for the disk; RocksDB groups them. */
    ROCKSDB_SYNC("RocksDB TtlDB, sync", "yes", "yes", (at, clock) -> new RocksTtl(at, true)),
    /** Transactions, with a commit for each put. */
    MAPDB("MapDB, commit per put", "yes", "yes", (at, clock) -> new MapDb(at)),
    /** A commit for each put, left to the operating system. */
    MVSTORE("H2 MVStore, commit per put", "yes", "the last writes may be lost", (at, clock) -> new MvStore(at, false)),
    /** A commit for each put, waiting for the disk. */
    MVSTORE_SYNC("H2 MVStore, commit and sync", "yes", "yes", (at, clock) -> new MvStore(at, true)),
    /** A persistent disk tier with a heap tier for all of the data. */
    EHCACHE("Ehcache, disk tier", "no, only a clean close", "no", (at, clock) -> new EhcacheDisk(at)),
    /** Nothing but memory: the ceiling for reads. */
    CAFFEINE("Caffeine", "no", "no", (at, clock) -> new CaffeineCache()),
    /** Append-only file, synced each second. */
    REDIS_EVERYSEC(
            "Redis, AOF everysec",
            "yes",
            "the last second or two may be lost",
            (at, clock) -> new Redis(at, "everysec")),
    /** Append-only file, synced before each answer. */
    REDIS_ALWAYS("Redis, AOF always", "yes", "yes", (at, clock) -> new Redis(at, "always"));

    private final String title;
    private final String survivesKill;
    private final String survivesPowerCut;

    @SuppressWarnings("ImmutableEnumChecker") // none of the openers has a state
    private final Opener opener;

    Configuration(String title, String survivesKill, String survivesPowerCut, Opener opener) {
        this.title = title;
        this.survivesKill = survivesKill;
        this.survivesPowerCut = survivesPowerCut;
        this.opener = opener;
    }

    /** The name for people. */
    public String title() {
        return title;
    }

    /** Whether a put that has returned is still there after the process was killed. */
    public String survivesKill() {
        return survivesKill;
    }

    /** Whether a put that has returned is still there after a power cut. */
    public String survivesPowerCut() {
        return survivesPowerCut;
    }

    /** Opens it in an empty folder, with the system's clock. */
    public Peer open(Path folder) {
        return opener.open(folder, InstantSource.system());
    }

    /** Opens one of those that can do more than put and get. */
    public <P extends Peer> P open(Class<P> kind, Path folder, InstantSource clock) {
        Peer opened = opener.open(folder, clock);
        if (kind.isInstance(opened)) {
            return kind.cast(opened);
        }
        opened.close();
        throw new IllegalArgumentException("'peer' must not be " + this + ", which is no " + kind.getSimpleName());
    }

    private interface Opener {
        Peer open(Path folder, InstantSource clock);
    }
}
