package dev.ttlstore.benchmark.peer;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/** What only TTL Store and plain SQLite are compared in: both keep the same table. */
public interface TablePeer extends EntryPeer {

    /** An entry's name. */
    record Name(String group, String key) {}

    /** Puts all of the data, with a ttl for each page. */
    void load(Dataset data, PageTtl ttl);

    @Override
    default void load(Dataset data) {
        load(data, page -> TTL);
    }

    /** Puts a value under many names, and returns when all of them are committed. */
    void putTogether(List<Name> names, byte[] value, Duration ttl);

    /** Lets all entries of a group live for some time from now, and says how many there were. */
    long renewAll(String group, Duration ttl);

    /** Lets entries of a group live for some time from now, in one commit, and says how many there were. */
    long renewAll(String group, Collection<String> keys, Duration ttl);

    /** Reads a whole group. */
    Map<String, byte[]> readAll(String group);

    /** Reads the first entries of a group that come after a key. */
    Map<String, byte[]> page(String group, String afterKey, int limit);

    /** Counts a group. */
    long count(String group);

    /** Removes all that has expired, and says how much that was. */
    long purge();

    /** Does so in chunks with a commit each, so that others can write meanwhile. */
    long purgeInChunks();

    /** The size of a chunk, for peers that have no other. */
    int CHUNK = 1_000;

    /** Repeats the removal of a chunk until it removes nothing more, and says how much it has removed. */
    static long inChunks(IntSupplier chunk) {
        long removed = 0;
        int some;
        do {
            some = chunk.getAsInt();
            removed += some;
        } while (some > 0);
        return removed;
    }
}
