package dev.ttlstore.benchmark.peer;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What only TTL Store and plain SQLite are compared in: both keep the same table. */
public interface TablePeer extends Peer {

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

    /** Lets an entry live for some time from now. */
    boolean renew(String group, String key, Duration ttl);

    /** Reads a whole group. */
    Map<String, byte[]> readAll(String group);

    /** Removes all that has expired, and says how much that was. */
    long purge();
}
