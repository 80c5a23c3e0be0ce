package dev.ttlstore;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.commit.Expiry;
import dev.ttlstore.commit.Mutations;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/** Checks and encodes on the way in, reads and decodes on the way out. */
class DefaultGroup<V> implements Group<V> {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int KEY_BYTES = 18; // 144 bits, and a multiple of 3, so that Base64 needs no padding

    private final String name;
    private final Codec<V> codec;
    private final DefaultStore store;

    DefaultGroup(String name, Codec<V> codec, DefaultStore store) {
        this.name = name;
        this.codec = codec;
        this.store = store;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<V> get(String key) {
        Row row = live(key);
        return row == null ? Optional.empty() : Optional.of(decode(row));
    }

    @Override
    public Optional<Entry<V>> entry(String key) {
        Row row = live(key);
        return row == null
                ? Optional.empty()
                : Optional.of(entry(row, store.clock().now()));
    }

    @Override
    public Map<String, V> getAll() {
        Map<String, V> all = new LinkedHashMap<>();
        for (Row row : store.engine().readGroup(name, store.clock().now())) {
            all.put(row.key().key(), decode(row));
        }
        return Collections.unmodifiableMap(all);
    }

    @Override
    public boolean contains(String key) {
        return live(key) != null;
    }

    @Override
    public long count() {
        return store.engine().count(name, store.clock().now());
    }

    @Override
    public void put(String key, V value) {
        put(key, value, Expiry.NEVER);
    }

    @Override
    public void put(String key, V value, Duration ttl) {
        put(key, value, after(ttl));
    }

    @Override
    public void put(String key, V value, Instant expiresAt) {
        put(key, value, at(expiresAt));
    }

    @Override
    public String add(V value) {
        return add(value, Expiry.NEVER);
    }

    @Override
    public String add(V value, Duration ttl) {
        return add(value, after(ttl));
    }

    @Override
    public boolean delete(String key) {
        return store.pipeline().submit(Mutations.delete(rowKey(key)));
    }

    @Override
    public Optional<V> take(String key) {
        // Decoded before it is removed, so that a value which cannot be read is not lost; removed only as it was read.
        for (Row row = live(key); row != null; row = live(key)) {
            V value = decode(row);
            if (store.pipeline().submit(Mutations.deleteVersion(row.key(), row.version()))) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    @Override
    public long clear() {
        return store.pipeline().submit(Mutations.clear(name));
    }

    @Override
    public boolean expire(String key, Duration ttl) {
        return reschedule(key, after(ttl));
    }

    @Override
    public boolean expire(String key, Instant expiresAt) {
        return reschedule(key, at(expiresAt));
    }

    @Override
    public boolean persist(String key) {
        return reschedule(key, Expiry.NEVER);
    }

    private void put(String key, V value, Expiry expiry) {
        store.pipeline().submit(Mutations.put(rowKey(key), encode(value), expiry));
    }

    private String add(V value, Expiry expiry) {
        byte[] encoded = encode(value);
        String key = freshKey();
        while (!store.pipeline().submit(Mutations.putIfAbsent(rowKey(key), encoded, expiry))) {
            key = freshKey();
        }
        return key;
    }

    private boolean reschedule(String key, Expiry expiry) {
        return store.pipeline().submit(Mutations.reschedule(rowKey(key), expiry));
    }

    private @Nullable Row live(String key) {
        Utf8.requireName(key, "key");
        Row row = store.engine().read(name, key);
        // The time is taken after the read: a row that has expired meanwhile is not answered. But it may also have been
        // renewed meanwhile, and in time: absent is only what still stands expired when it is looked at again.
        while (row != null && !row.isLiveAt(store.clock().now())) {
            Row again = store.engine().read(name, key);
            if (again == null || (again.version() == row.version() && again.expiresAt() == row.expiresAt())) {
                return null;
            }
            row = again;
        }
        return row;
    }

    private Entry<V> entry(Row row, long now) {
        boolean expires = row.expiresAt() != Row.NEVER;
        return new Entry<>(
                row.key().key(),
                decode(row),
                row.version(),
                Instant.ofEpochMilli(row.createdAt()),
                Instant.ofEpochMilli(row.updatedAt()),
                expires ? Instant.ofEpochMilli(row.expiresAt()) : null,
                expires ? Duration.ofMillis(Math.max(1, row.expiresAt() - now)) : null);
    }

    private byte[] encode(V value) {
        return Codecs.encode(
                codec, Objects.requireNonNull(value, "'value' must not be null"), name, store.maxValueSize());
    }

    private V decode(Row row) {
        return Codecs.decode(codec, row.value(), name);
    }

    private RowKey rowKey(String key) {
        return new RowKey(name, Utf8.requireName(key, "key"));
    }

    private Expiry after(Duration ttl) {
        return Expiry.after(Objects.requireNonNull(ttl, "'ttl' must not be null"));
    }

    private Expiry at(Instant expiresAt) {
        Objects.requireNonNull(expiresAt, "'expiresAt' must not be null");
        return Expiry.at(expiresAt, store.clock().now());
    }

    private static String freshKey() {
        byte[] random = new byte[KEY_BYTES];
        RANDOM.nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }
}
