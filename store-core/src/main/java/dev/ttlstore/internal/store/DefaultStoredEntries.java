package dev.ttlstore.internal.store;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ttlstore.KeyRange;
import dev.ttlstore.StoredEntries;
import dev.ttlstore.StoredEntry;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.Names;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Outcome;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Utf8;
import dev.ttlstore.internal.access.PageStreams;
import dev.ttlstore.internal.access.RowAccess;

/**
 * Reaches rows without codecs and ciphers. Thread-safe.
 *
 * @param access reaches the rows
 */
record DefaultStoredEntries(RowAccess access) implements StoredEntries {

    @Override
    public Stream<String> groups(String prefix, String after) {
        access.requireUsable();
        GroupRange range = GroupRange.prefix(Names.requirePrefix(prefix, "prefix"));
        String last = Names.requirePrefix(after, "after");
        return PageStreams.groups(access, Utf8.ORDER.compare(last, range.from()) < 0 ? range : range.after(last));
    }

    @Override
    public Stream<StoredEntry> entries(String group, String after) {
        access.requireUsable();
        String name = Names.require(group, "group");
        String last = Names.requirePrefix(after, "after");
        KeyRange range = last.isEmpty() ? KeyRange.all() : KeyRange.from(Utf8.next(last));
        return new GroupWalk(access, name).rows(range).map(DefaultStoredEntries::entry);
    }

    @Override
    public Optional<StoredEntry> entry(String group, String key) {
        access.requireUsable();
        RowKey name = new RowKey(Names.require(group, "group"), Names.require(key, "key"));
        return Optional.ofNullable(access.reads().get(name, Reads.NOW)).map(DefaultStoredEntries::entry);
    }

    private static StoredEntry entry(Row row) {
        return new StoredEntry(
                row.key().group(),
                row.key().key(),
                row.value(),
                row.version(),
                Instant.ofEpochMilli(row.createdAt()),
                Instant.ofEpochMilli(row.updatedAt()),
                row.expiresAt() == Row.NEVER ? null : Instant.ofEpochMilli(row.expiresAt()));
    }

    @Override
    public int maxValueSize() {
        return access.context().values().maxSize();
    }

    @Override
    public void check(StoredEntry entry) {
        access.requireUsable();
        Row unused = row(Objects.requireNonNull(entry, "'entry' must not be null"));
    }

    @Override
    public List<Outcome> put(Collection<StoredEntry> entries, boolean replace) {
        access.requireUsable();
        Objects.requireNonNull(entries, "'entries' must not be null");
        List<Operation> restoring = entries.stream()
                .map(this::row)
                .map(row -> new Operation(row.key(), Condition.ALWAYS, Effect.restore(row, replace)))
                .toList();
        if (restoring.isEmpty()) {
            return List.of();
        }
        return access.submit(Request.all(restoring)).outcomes().stream()
                .map(DefaultStoredEntries::outcome)
                .toList();
    }

    private static Outcome outcome(dev.ttlstore.engine.Outcome restored) {
        if (!restored.applied()) {
            return restored.found() ? Outcome.KEPT : Outcome.EXPIRED;
        } else if (restored.version() == 0) {
            return Outcome.UNCHANGED;
        }
        return restored.found() ? Outcome.REPLACED : Outcome.CREATED;
    }

    private Row row(StoredEntry entry) {
        Objects.requireNonNull(entry, "'entries' must not contain null");
        if (entry.updatedAt().isBefore(entry.createdAt())) {
            throw new IllegalArgumentException("'updatedAt' must not be before 'createdAt'");
        }
        RowKey key = new RowKey(Names.require(entry.group(), "group"), Names.require(entry.key(), "key"));
        Instant expiresAt = entry.expiresAt();
        return new Row(
                key,
                access.context().values().requireStorable(key.group(), entry.value()),
                0,
                Millis.of(entry.createdAt(), "createdAt"),
                Millis.of(entry.updatedAt(), "updatedAt"),
                expiresAt == null ? Row.NEVER : Millis.ofExpiry(expiresAt, "expiresAt"));
    }
}
