package dev.ttlstore.jcache;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.Transaction;

import static dev.ttlstore.jcache.Failures.translate;
import static java.util.Objects.requireNonNull;

/**
 * The entries of a cache in the store: one group, by the texts of the keys. Throws the failures of the store as JCache promises
 * them.
 *
 * @param store the store
 * @param group the group
 * @param name the name of the group
 * @param keys makes the texts of keys
 * @param codec encodes the values
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
record CacheRows<K, V>(
        LiveKeyspace store, Group<StoredValue<V>> group, String name, KeyTexts<K> keys, Codec<StoredValue<V>> codec) {

    /** The group of a cache is this and the cache's name. No namespace has a dot, so no scope has such a group. */
    static final String PREFIX = "jcache.";

    /** Returns the same entries within a transaction. */
    CacheRows<K, V> within(Transaction transaction) {
        return new CacheRows<>(store, transaction.group(name, codec), name, keys, codec);
    }

    String text(K key) {
        return translate(() -> keys.of(key));
    }

    /** Returns the value; null if there is no entry. On a shared engine, the near cache may answer if it is turned on. */
    @Nullable
    V value(String text) {
        return translate(() -> group.get(text).map(StoredValue::value).orElse(null));
    }

    @Nullable
    CachedRow<K, V> read(K key, String text) {
        return translate(() -> group.entry(text).map(entry -> row(key, entry)).orElse(null));
    }

    /** Reads some entries as of one moment. */
    Map<K, V> readAll(Map<String, K> wanted) {
        return translate(() -> {
            Map<K, V> found = new HashMap<>();
            group.getAll(wanted.keySet())
                    .forEach((text, stored) -> found.put(
                            requireNonNull(wanted.get(text), "The store returned an entry that nobody asked for"),
                            stored.value()));
            return found;
        });
    }

    boolean contains(String text) {
        return translate(() -> group.contains(text));
    }

    /** Reads all entries, page by page as the stream goes on. */
    Stream<CachedRow<K, V>> all() {
        return translate(() -> group.entries().map(this::row));
    }

    private CachedRow<K, V> row(Entry<StoredValue<V>> entry) {
        return row(keys.keyOf(entry.key(), entry.value().key()), entry);
    }

    private static <K, V> CachedRow<K, V> row(K key, Entry<StoredValue<V>> entry) {
        StoredValue<V> stored = entry.value();
        return new CachedRow<>(entry.key(), entry.version(), key, stored.value(), stored.bytes());
    }

    /** Returns the size of what was put; empty if there is an entry. */
    OptionalInt insert(K key, String text, V value, Expiry expiry) {
        StoredValue<V> stored = stored(key, text, value);
        return translate(() -> size(stored, group.putIfAbsent(text, stored, expiry)));
    }

    /** Returns the size of what was put; empty if somebody has changed the entry. */
    OptionalInt replace(CachedRow<K, V> row, V value, Expiry expiry) {
        StoredValue<V> stored = stored(row.key(), row.text(), value);
        return translate(() -> size(stored, group.replaceVersion(row.text(), row.version(), stored, expiry)));
    }

    private static OptionalInt size(StoredValue<?> stored, OptionalLong put) {
        return put.isPresent() ? OptionalInt.of(stored.bytes()) : OptionalInt.empty();
    }

    /**
     * Deletes an entry that a store which passes over unreadable values hides: it is not read, but nothing can be put in its place
     * unless it is absent.
     */
    void deleteUnreadable(K key, String text) {
        if (isUnreadable(key, text)) {
            boolean unused = translate(() -> store.<Boolean>transact(transaction -> {
                CacheRows<K, V> inside = within(transaction);
                return inside.isUnreadable(key, text) && inside.delete(text);
            }));
        }
    }

    private boolean isUnreadable(K key, String text) {
        return contains(text) && read(key, text) == null;
    }

    boolean delete(String text) {
        return translate(() -> group.delete(text));
    }

    private StoredValue<V> stored(K key, String text, V value) {
        return new StoredValue<>(KeyTexts.isHash(text) ? keys.codec().encode(key) : null, value);
    }

    /** Returns whether it was deleted, which it was not if somebody has changed it. */
    boolean delete(CachedRow<K, V> row) {
        return translate(() -> group.deleteVersion(row.text(), row.version()));
    }

    boolean expire(String text, Expiry expiry) {
        return translate(() -> group.expire(text, expiry));
    }

    void expireAll(Collection<String> texts, Expiry expiry) {
        long unused = translate(() -> group.expireAll(texts, expiry));
    }

    long deleteAll(Collection<String> texts) {
        return translate(() -> group.deleteAll(texts));
    }

    long clear() {
        return translate(group::clear);
    }

    /**
     * A live entry, as of the moment when it was read.
     *
     * @param text the text of the key
     * @param version the version by which the entry can be replaced
     * @param key the key
     * @param value the value
     * @param bytes the size of the value as it is stored
     * @param <K> the type of the key
     * @param <V> the type of the value
     */
    record CachedRow<K, V>(String text, long version, K key, V value, int bytes) {

        /** Returns a text without the key and the value, which may be secrets. */
        @Override
        public String toString() {
            return "CachedRow[version=" + version + "]";
        }
    }
}
