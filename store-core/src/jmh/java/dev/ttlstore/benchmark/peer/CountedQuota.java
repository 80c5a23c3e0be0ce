package dev.ttlstore.benchmark.peer;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Quota;

/** A quota by hand: each put counts the namespace and then writes, in one transaction. */
public final class CountedQuota implements Peer {

    private static final String NAMESPACE = "tenant/";
    private static final String END = "tenant0";

    private final PlainSqlite plain;
    private final Quota quota;

    /** Opens it in an empty folder. */
    public CountedQuota(Path folder, Quota quota) {
        this.plain = new PlainSqlite(folder, "NORMAL", InstantSource.system());
        this.quota = quota;
    }

    @Override
    public void load(Dataset data) {
        for (Dataset.Page page : data.pages()) {
            plain.inTransaction(() -> {
                for (int i = page.from(); i < page.to(); i++) {
                    plain.put(NAMESPACE + page.group(), data.key(i), data.value(i), TTL);
                }
            });
        }
    }

    @Override
    public void put(String group, String key, byte[] value, Duration ttl) {
        plain.inTransaction(() -> {
            PlainSqlite.Usage used = plain.usage(NAMESPACE, END);
            if (used.keys() >= quota.maxKeys() || used.bytes() + value.length > quota.maxBytes()) {
                throw new IllegalStateException("The quota is exceeded: " + used);
            }
            plain.put(NAMESPACE + group, key, value, ttl);
        });
    }

    @Override
    public byte @Nullable [] get(String group, String key) {
        return plain.get(NAMESPACE + group, key);
    }

    @Override
    public void close() {
        plain.close();
    }
}
