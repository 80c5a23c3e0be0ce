package dev.ttlstore.benchmark.peer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Group;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;

/** Our namespace with a quota. */
public final class StoreQuota implements Peer {

    private final TtlStore store;
    private final Scope scope;
    private final Map<String, Group<byte[]>> groups = new ConcurrentHashMap<>();

    /** Opens it in an empty folder. */
    public StoreQuota(Path folder, Quota quota) {
        this.store = TtlStore.open(folder);
        this.scope = store.store().scope("tenant", quota);
    }

    @Override
    public void load(Dataset data) {
        for (Dataset.Page page : data.pages()) {
            group(page.group()).putAll(data.values(page), TTL);
        }
    }

    @Override
    public void put(String group, String key, byte[] value, Duration ttl) {
        group(group).put(key, value, ttl);
    }

    @Override
    public byte @Nullable [] get(String group, String key) {
        return group(group).get(key).orElse(null);
    }

    private Group<byte[]> group(String name) {
        Group<byte[]> known = groups.get(name);
        return known != null ? known : groups.computeIfAbsent(name, n -> scope.group(n, byte[].class));
    }

    @Override
    public void close() {
        store.close();
    }
}
