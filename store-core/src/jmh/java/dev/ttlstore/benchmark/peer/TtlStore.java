package dev.ttlstore.benchmark.peer;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Durability;
import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;

/** Ours. */
public final class TtlStore implements TablePeer {

    /** More bytes than any of the data takes in a near cache. */
    public static final long AMPLE_CACHE = 1L << 30;

    private final Store store;

    /** Handles are kept, as an application keeps them. */
    private final Map<String, Group<byte[]>> groups = new ConcurrentHashMap<>();

    private TtlStore(Store store) {
        this.store = store;
    }

    /** Opens a store in a folder, without a near cache. */
    public static TtlStore open(Path folder) {
        return open(folder, Durability.NORMAL, 0, InstantSource.system());
    }

    /** Opens a store in a folder. */
    public static TtlStore open(Path folder, Durability durability, long cacheBytes, InstantSource clock) {
        return open(folder, durability, cacheBytes, clock, builder -> {});
    }

    /** Opens a store in a folder, with more settings; the one place where the benchmarks do so. */
    public static TtlStore open(
            Path folder, Durability durability, long cacheBytes, InstantSource clock, Consumer<StoreBuilder> more) {
        StoreBuilder builder = builder(folder, durability, clock).cacheSize(cacheBytes);
        more.accept(builder);
        return new TtlStore(builder.open());
    }

    /** Opens a store in a folder, with the near cache that a user gets who sets nothing. */
    static TtlStore openWithDefaultCache(Path folder, Durability durability, InstantSource clock) {
        return new TtlStore(builder(folder, durability, clock).open());
    }

    private static StoreBuilder builder(Path folder, Durability durability, InstantSource clock) {
        return Store.builder()
                .path(file(folder))
                .durability(durability)
                .purgeInterval(Duration.ZERO) // purges come when they are measured
                .clock(clock);
    }

    /** Where the store is, in its folder. */
    public static Path file(Path folder) {
        return folder.resolve("store.db");
    }

    /** The store itself, for what peers have nothing to compare with. */
    public Store store() {
        return store;
    }

    /** A group's handle. */
    public Group<byte[]> group(String name) {
        Group<byte[]> known = groups.get(name);
        return known != null ? known : groups.computeIfAbsent(name, n -> store.group(n, byte[].class));
    }

    @Override
    public void load(Dataset data, PageTtl ttl) {
        for (Dataset.Page page : data.pages()) {
            group(page.group()).putAll(data.values(page), ttl.of(page));
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

    @Override
    public void putTogether(List<Name> names, byte[] value, Duration ttl) {
        List<CompletableFuture<?>> puts = new ArrayList<>(names.size());
        for (Name name : names) {
            puts.add(group(name.group()).async().put(name.key(), value, ttl));
        }
        puts.forEach(CompletableFuture::join);
    }

    @Override
    public boolean renew(String group, String key, Duration ttl) {
        return group(group).expire(key, ttl);
    }

    @Override
    public byte @Nullable [] take(String group, String key) {
        return group(group).take(key).orElse(null);
    }

    @Override
    public long renewAll(String group, Duration ttl) {
        return group(group).expireAll(ttl);
    }

    @Override
    public long renewAll(String group, Collection<String> keys, Duration ttl) {
        return group(group).expireAll(keys, Expiry.after(ttl));
    }

    @Override
    public Map<String, byte[]> readAll(String group) {
        return group(group).getAll();
    }

    @Override
    public Map<String, byte[]> page(String group, String afterKey, int limit) {
        Map<String, byte[]> page = new LinkedHashMap<>();
        for (Entry<byte[]> entry : group(group).page(afterKey, limit)) {
            page.put(entry.key(), entry.value());
        }
        return page;
    }

    @Override
    public long count(String group) {
        return group(group).count();
    }

    @Override
    public long purge() {
        return store.purgeExpired();
    }

    /** The same: the store chooses its own chunks. */
    @Override
    public long purgeInChunks() {
        return purge();
    }

    @Override
    public void close() {
        store.close();
    }
}
