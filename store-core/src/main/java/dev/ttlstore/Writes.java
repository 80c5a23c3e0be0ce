package dev.ttlstore;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import dev.ttlstore.commit.Expiry;
import dev.ttlstore.commit.Mutation;
import dev.ttlstore.commit.Mutations;
import dev.ttlstore.engine.RowKey;

/** Makes mutations of a group's writes: checks what callers pass, and encodes it. Nothing is written here. */
final class Writes<V> {

    private final String group;
    private final Codec<V> codec;
    private final Access access;
    private final Expiry standing;

    Writes(String group, Codec<V> codec, Access access) {
        this.group = group;
        this.codec = codec;
        this.access = access;
        Duration ttl = access.context().group(group).ttl();
        this.standing = ttl == null ? Expiry.NEVER : Expiry.after(ttl);
    }

    /** What holds for a write that says nothing of a ttl. */
    Expiry standing() {
        return standing;
    }

    /** The full name of the group. */
    String group() {
        return group;
    }

    Mutation<Long> put(String key, V value, Expiry expiry) {
        return Mutations.put(rowKey(key), encode(value, "value"), expiry);
    }

    Mutation<Long> putAll(Map<String, ? extends V> values, Expiry expiry) {
        access.requireUsable(); // also where there is no key to check
        Objects.requireNonNull(values, "'values' must not be null");
        Map<RowKey, byte[]> encoded = new LinkedHashMap<>();
        values.forEach((key, value) -> encoded.put(rowKey(key), encode(value, "values")));
        return Mutations.putAll(encoded, expiry);
    }

    Mutation<Boolean> putIfAbsent(String key, V value, Expiry expiry) {
        return Mutations.putIfAbsent(rowKey(key), encode(value, "value"), expiry);
    }

    Mutation<Boolean> replace(String key, V expected, V value, Expiry expiry) {
        return Mutations.replace(rowKey(key), encode(expected, "expected"), encode(value, "value"), expiry);
    }

    Mutation<Boolean> replaceVersion(String key, long version, V value, Expiry expiry) {
        return Mutations.replaceVersion(rowKey(key), version, encode(value, "value"), expiry);
    }

    Mutation<Boolean> update(RowKey key, long version, V value) {
        if (value == null) {
            throw new NullPointerException("'change' must not return null; to remove an entry delete it");
        }
        return Mutations.update(key, version, encode(value, "value"));
    }

    Mutation<Boolean> delete(String key) {
        return Mutations.delete(rowKey(key));
    }

    Mutation<Boolean> delete(String key, V expected) {
        return Mutations.delete(rowKey(key), encode(expected, "expected"));
    }

    /** Decodes where it is decided, so that it comes behind what its caller submitted before, and before what comes later. */
    Mutation<Optional<V>> take(String key) {
        return Mutations.take(
                rowKey(key), bytes -> Optional.ofNullable(access.context().decode(codec, bytes, group)));
    }

    Mutation<Boolean> deleteVersion(String key, long version) {
        return Mutations.deleteVersion(rowKey(key), version);
    }

    Mutation<Boolean> reschedule(String key, Expiry expiry) {
        return Mutations.reschedule(rowKey(key), expiry);
    }

    Expiry after(Duration ttl) {
        return Expiry.after(Objects.requireNonNull(ttl, "'ttl' must not be null"));
    }

    Expiry at(Instant expiresAt) {
        Objects.requireNonNull(expiresAt, "'expiresAt' must not be null");
        access.requireUsable();
        return Expiry.at(expiresAt, access.now());
    }

    RowKey rowKey(String key) {
        access.requireUsable();
        return new RowKey(group, Names.require(key, "key"));
    }

    private byte[] encode(V value, String parameter) {
        if (value == null) {
            throw new NullPointerException("'" + parameter + "' must not be null");
        }
        return Codecs.encode(codec, value, group, access.context().maxValueSize());
    }
}
