package dev.ttlstore.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import dev.ttlstore.engine.Names;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.commit.Expiry;
import dev.ttlstore.internal.commit.Mutation;
import dev.ttlstore.internal.commit.Mutations;
import dev.ttlstore.internal.value.RowValues;

/** Makes the mutations of a group's writes: checks and encodes what callers pass. Writes nothing itself. */
final class GroupMutations<V> {

    private final String group;
    private final RowValues<V> values;
    private final RowAccess access;
    private final Expiry standing;

    GroupMutations(String group, RowValues<V> values, RowAccess access) {
        this.group = group;
        this.values = values;
        this.access = access;
        Duration ttl = access.context().group(group).ttl();
        this.standing = ttl == null ? Expiry.NEVER : Expiry.after(ttl);
    }

    /** Returns the expiry of a write without a ttl. */
    Expiry standing() {
        return standing;
    }

    /** Returns how values are converted to stored bytes. */
    RowValues<V> values() {
        return values;
    }

    /** Returns the full name of the group. */
    String group() {
        return group;
    }

    Mutation<Long> put(String key, V value, Expiry expiry) {
        RowKey rowKey = rowKey(key);
        return Mutations.put(rowKey, values.encode(key, value, "value"), expiry);
    }

    Mutation<Long> putAll(Map<String, ? extends V> given, Expiry expiry) {
        access.requireUsable(); // also if there is no key to check
        Objects.requireNonNull(given, "'values' must not be null");
        Map<RowKey, byte[]> encoded = new LinkedHashMap<>();
        given.forEach((key, value) -> encoded.put(rowKey(key), values.encode(key, value, "values")));
        return Mutations.putAll(encoded, expiry);
    }

    Mutation<Boolean> putIfAbsent(String key, V value, Expiry expiry) {
        RowKey rowKey = rowKey(key);
        return Mutations.putIfAbsent(rowKey, values.encode(key, value, "value"), expiry);
    }

    Mutation<Boolean> replace(String key, V expected, V value, Expiry expiry) {
        RowKey rowKey = rowKey(key);
        Predicate<byte[]> holding = values.holding(key, expected, "expected");
        return Mutations.replace(rowKey, holding, values.encode(key, value, "value"), expiry);
    }

    Mutation<Boolean> replaceVersion(String key, long version, V value, Expiry expiry) {
        RowKey rowKey = rowKey(key);
        return Mutations.replaceVersion(rowKey, version, values.encode(key, value, "value"), expiry);
    }

    /** Applies a change to a value that was read, for a write that requires that the entry has not changed meanwhile. */
    Attempt<V> update(Row row, V value, UnaryOperator<V> change) {
        V changed = change.apply(value);
        if (changed == null) {
            throw new NullPointerException("'change' must not return null; to remove an entry delete it");
        }
        byte[] encoded = values.encode(row.key().key(), changed, "value");
        return new Attempt<>(Mutations.update(row.key(), row.version(), encoded), changed);
    }

    Mutation<Boolean> delete(String key) {
        return Mutations.delete(rowKey(key));
    }

    Mutation<Boolean> delete(String key, V expected) {
        RowKey rowKey = rowKey(key);
        return Mutations.delete(rowKey, values.holding(key, expected, "expected"));
    }

    /** Decodes within the commit, so that it comes after the caller's earlier writes and before the later ones. */
    Mutation<Optional<V>> take(String key) {
        return Mutations.take(rowKey(key), stored -> Optional.ofNullable(values.decode(key, stored)));
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
}
