package dev.ttlstore.benchmark.peer;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;

import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;

/** H2's storage engine. It knows no expiry, so each value begins with the time of its end. */
final class MvStore implements Peer {

    /** Room for all of the data, as every peer gets it. */
    private static final int CACHE_MEGABYTES = 512;

    private final MVStore store;
    private final MVMap<String, byte[]> map;
    private final boolean sync;

    MvStore(Path folder, boolean sync) {
        this.sync = sync;
        this.store = new MVStore.Builder()
                .fileName(folder.resolve("h2.mv").toString())
                .autoCommitDisabled()
                .cacheSize(CACHE_MEGABYTES)
                .open();
        this.map = store.openMap("entry");
    }

    @Override
    public void load(Dataset data) {
        for (int i = 0; i < data.size(); i++) {
            map.put(Joined.text(data.group(i), data.key(i)), stamped(data.value(i), TTL));
        }
        store.commit();
    }

    @Override
    public void put(String group, String key, byte[] value, Duration ttl) {
        map.put(Joined.text(group, key), stamped(value, ttl));
        store.commit();
        if (sync) {
            store.sync();
        }
    }

    private static byte[] stamped(byte[] value, Duration ttl) {
        return ByteBuffer.allocate(Long.BYTES + value.length)
                .putLong(System.currentTimeMillis() + ttl.toMillis())
                .put(value)
                .array();
    }

    @Override
    public byte @Nullable [] get(String group, String key) {
        byte[] stamped = map.get(Joined.text(group, key));
        if (stamped == null) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(stamped);
        if (buffer.getLong() <= System.currentTimeMillis()) {
            return null;
        }
        byte[] value = new byte[buffer.remaining()];
        buffer.get(value);
        return value;
    }

    @Override
    public void close() {
        store.close();
    }
}
