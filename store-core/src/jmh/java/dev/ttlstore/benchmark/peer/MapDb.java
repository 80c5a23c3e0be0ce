package dev.ttlstore.benchmark.peer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.HTreeMap;
import org.mapdb.Serializer;

/** MapDB with its write-ahead log and a ttl for the whole map. */
final class MapDb implements Peer {

    private final DB db;
    private final HTreeMap<String, byte[]> map;

    MapDb(Path folder) {
        this.db = DBMaker.fileDB(folder.resolve("map.db").toFile())
                .fileMmapEnableIfSupported()
                .transactionEnable()
                .make();
        this.map = db.hashMap("entry", Serializer.STRING, Serializer.BYTE_ARRAY)
                .expireAfterCreate(TTL.toMillis(), TimeUnit.MILLISECONDS)
                .expireAfterUpdate(TTL.toMillis(), TimeUnit.MILLISECONDS)
                .create();
    }

    @Override
    public void load(Dataset data) {
        for (int i = 0; i < data.size(); i++) {
            map.put(Joined.text(data.group(i), data.key(i)), data.value(i));
        }
        db.commit();
    }

    @Override
    public void put(String group, String key, byte[] value, Duration ttl) {
        map.put(Joined.text(group, key), value);
        db.commit();
    }

    @Override
    public byte @Nullable [] get(String group, String key) {
        return map.get(Joined.text(group, key));
    }

    @Override
    public void close() {
        db.close();
    }
}
