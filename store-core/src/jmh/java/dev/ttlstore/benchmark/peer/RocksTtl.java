package dev.ttlstore.benchmark.peer;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** RocksDB with a ttl for the whole database, which compactions carry out; what has expired can be read until then. */
final class RocksTtl implements EntryPeer {

    static {
        TtlDB.loadLibrary();
    }

    /** Room for all of the data, as every peer gets it. */
    private static final long CACHE = 512L << 20;

    private final LRUCache cache = new LRUCache(CACHE);
    private final Options options = new Options()
            .setCreateIfMissing(true)
            .setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache));
    private final WriteOptions write = new WriteOptions();
    private final TtlDB db;

    RocksTtl(Path folder, boolean sync) {
        write.setSync(sync);
        try {
            this.db = TtlDB.open(options, folder.resolve("rocks").toString(), (int) TTL.toSeconds(), false);
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void load(Dataset data) {
        for (Dataset.Page page : data.pages()) {
            try (WriteBatch batch = new WriteBatch()) {
                for (int i = page.from(); i < page.to(); i++) {
                    batch.put(Joined.bytes(page.group(), data.key(i)), data.value(i));
                }
                db.write(write, batch);
            } catch (RocksDBException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void put(String group, String key, byte[] value, Duration ttl) {
        try {
            db.put(write, Joined.bytes(group, key), value);
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public byte @Nullable [] get(String group, String key) {
        try {
            return db.get(Joined.bytes(group, key));
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Puts the value again, because its time is that of its last put. Nothing keeps another put from coming between. */
    @Override
    public boolean renew(String group, String key, Duration ttl) {
        byte[] value = get(group, key);
        if (value != null) {
            put(group, key, value, ttl);
        }
        return value != null;
    }

    /** Reads and deletes. Nothing keeps two callers from taking the same value. */
    @Override
    public byte @Nullable [] take(String group, String key) {
        byte[] value = get(group, key);
        try {
            db.delete(write, Joined.bytes(group, key));
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
        return value;
    }

    @Override
    public void close() {
        db.close();
        write.close();
        options.close();
        cache.close();
    }
}
