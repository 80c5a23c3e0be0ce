package dev.ttlstore.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.AsyncGroup;
import dev.ttlstore.Codec;
import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.KeyRange;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.Names;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.Utf8;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.exception.Printable;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.base.Meter.EntryCounts;
import dev.ttlstore.internal.value.RowValues;

/**
 * Validates and encodes what callers pass, and decodes what they get. A read that answers with many entries leaves out one whose
 * value cannot be read if the policy says so.
 */
sealed class DefaultGroup<V> implements Group<V> permits DefaultCounters, DefaultTextGroup {

    private static final int MAX_PAGE = 10_000;

    private final String name;
    private final String fullName;
    private final RowValues<V> values;
    private final RowAccess access;
    private final GroupMutations<V> mutations;
    private final ComputedWrites<V> computed;
    private final GroupWalk walk;
    private final EntryCounts counts;

    /**
     * Creates a group.
     *
     * @param name the name by which the caller asked for it
     * @param fullName its name in the store
     * @param codec encodes and decodes values
     * @param access reaches its rows
     */
    DefaultGroup(String name, String fullName, Codec<V> codec, RowAccess access) {
        this.name = name;
        this.fullName = fullName;
        this.values = new RowValues<>(fullName, codec, access.context().values());
        this.access = access;
        this.mutations = new GroupMutations<>(fullName, values, access);
        this.computed = new ComputedWrites<>(access, mutations);
        this.walk = new GroupWalk(access, fullName);
        this.counts = access.context().meter().of(fullName);
    }

    RowAccess access() {
        return access;
    }

    GroupMutations<V> mutations() {
        return mutations;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<V> get(String key) {
        Row row = access.reads().get(mutations.rowKey(key), Reads.RECENT);
        return counted(row == null ? null : values.decode(row));
    }

    @Override
    public Optional<Entry<V>> entry(String key) {
        Row row = access.reads().get(mutations.rowKey(key), Reads.NOW);
        return counted(row == null ? null : values.entry(row, access.now()));
    }

    private <T> Optional<T> counted(@Nullable T answer) {
        counts.read(answer != null);
        return Optional.ofNullable(answer);
    }

    @Override
    public Map<String, V> getAll() {
        access.requireUsable();
        RowPage page = access.reads().page(Scan.values(fullName, Reads.NOW));
        boolean own = page.own();
        // Each row is let go when it is decoded, so that a large group is not in memory twice. Nothing uses the page
        // from here on.
        Deque<Row> rows = new ArrayDeque<>(page.rows());
        Map<String, V> all = new LinkedHashMap<>((int) Math.ceil(rows.size() / 0.75)); // or it is copied as it grows
        for (Row row = rows.poll(); row != null; row = rows.poll()) {
            V value = own ? values.decodeOwn(row) : values.decode(row);
            if (value != null) {
                all.put(row.key().key(), value);
            }
        }
        return Collections.unmodifiableMap(all);
    }

    @Override
    public Map<String, V> getAll(Collection<String> keys) {
        return some(keys, values::decode);
    }

    @Override
    public Map<String, Entry<V>> entries(Collection<String> keys) {
        return some(keys, row -> values.entry(row, access.now()));
    }

    /** Reads what is wanted of the entries under some keys. */
    private <T> Map<String, T> some(Collection<String> keys, ComputedWrites.RowDecoder<T> reading) {
        access.requireUsable();
        Objects.requireNonNull(keys, "'keys' must not be null");
        List<RowKey> wanted = keys.stream().map(mutations::rowKey).toList();
        SortedMap<String, T> found = new TreeMap<>(Utf8.ORDER);
        access.reads().get(wanted, Reads.NOW).forEach((key, row) -> {
            T read = reading.of(row);
            if (read != null) {
                found.put(key.key(), read);
            }
        });
        keys.forEach(key -> counts.read(found.containsKey(key)));
        return Collections.unmodifiableMap(found);
    }

    @Override
    public Stream<String> keys(KeyRange range) {
        return walk.rows(range).limit(range.maxEntries()).map(row -> row.key().key());
    }

    @Override
    public Stream<Entry<V>> entries(KeyRange range) {
        return entries(walk.rows(range)).limit(range.maxEntries());
    }

    @Override
    public Stream<Entry<V>> createdBefore(Instant time) {
        access.requireUsable();
        long before = Millis.of(time, "time");
        if (!access.context().group(fullName).ageIndex()) {
            throw new IllegalStateException("The group '" + fullName
                    + "' has no age index; give it one with GroupSettings.withAgeIndex(true) when the store is built");
        }
        return entries(walk.created(before));
    }

    /** Converts rows to entries. */
    private Stream<Entry<V>> entries(Stream<Row> rows) {
        return rows.flatMap(row -> {
            Entry<V> entry = values.entry(row, access.now());
            return Stream.ofNullable(entry);
        });
    }

    @Override
    public List<Entry<V>> page(KeyRange range, @Nullable String afterKey, int limit) {
        Objects.requireNonNull(range, "'range' must not be null");
        if (limit < 1 || limit > MAX_PAGE) {
            throw new IllegalArgumentException("'limit' must be 1 to 10,000, but is " + limit);
        }
        KeyRange rest = afterKey == null ? range : range.after(Names.require(afterKey, "afterKey"));
        return entries(rest.limit(Math.min(limit, range.maxEntries()))).toList();
    }

    @Override
    public boolean contains(String key) {
        boolean found = access.reads().get(mutations.rowKey(key), Reads.RECENT) != null;
        counts.read(found);
        return found;
    }

    @Override
    public long count(KeyRange range) {
        access.requireUsable();
        Objects.requireNonNull(range, "'range' must not be null");
        return walk.count(range, Reads.NOW);
    }

    @Override
    public long count(Instant at) {
        access.requireUsable();
        return walk.count(KeyRange.all(), Millis.of(at, "at"));
    }

    @Override
    public long put(String key, V value, Expiry expiry) {
        return mutations.put(key, value, expiry).on(access);
    }

    @Override
    public Optional<V> getAndPut(String key, V value, Expiry expiry) {
        return computed.answer(key, computed.getAndPut(key, value, expiry));
    }

    @Override
    public void putAll(Map<String, ? extends V> given, Expiry expiry) {
        mutations.putAll(given, expiry).on(access);
    }

    @Override
    public OptionalLong putIfAbsent(String key, V value, Expiry expiry) {
        return mutations.putIfAbsent(key, value, expiry).on(access);
    }

    @Override
    public Optional<V> getAndPutIfAbsent(String key, V value, Expiry expiry) {
        return computed.answer(key, computed.getAndPutIfAbsent(key, value, expiry));
    }

    @Override
    public OptionalLong putIfPresent(String key, V value, Expiry expiry) {
        return mutations.putIfPresent(key, value, expiry).on(access);
    }

    @Override
    public OptionalLong replace(String key, V expected, V value, Expiry expiry) {
        return mutations.replace(key, expected, value, expiry).on(access);
    }

    @Override
    public OptionalLong replaceVersion(String key, long version, V value, Expiry expiry) {
        return mutations.replaceVersion(key, version, value, expiry).on(access);
    }

    @Override
    public Optional<V> update(String key, UnaryOperator<V> change) {
        return computed.run(key, computed.update(change));
    }

    @Override
    public Optional<V> updateOrDelete(String key, Function<? super V, Optional<V>> change) {
        return computed.run(key, computed.updateOrDelete(change));
    }

    @Override
    public V getOrPut(String key, Expiry expiry, Supplier<? extends V> loader) {
        Objects.requireNonNull(loader, "'loader' must not be null");
        return computed.getOrLoad(key, expiry, () -> get(key), loader);
    }

    @Override
    public String add(V value, Expiry expiry) {
        return computed.add(value, expiry);
    }

    @Override
    public boolean delete(String key) {
        return mutations.delete(key).on(access);
    }

    @Override
    public boolean delete(String key, V expected) {
        return mutations.delete(key, expected).on(access);
    }

    @Override
    public boolean deleteVersion(String key, long version) {
        return mutations.deleteVersion(key, version).on(access);
    }

    @Override
    public Optional<V> take(String key) {
        return computed.answer(key, computed.take(key));
    }

    @Override
    public Optional<Entry<V>> takeEntry(String key) {
        return computed.answer(key, computed.takeEntry(key));
    }

    @Override
    public long deleteAll(Collection<String> keys) {
        return mutations.deleteAll(keys).on(access);
    }

    @Override
    public long clear() {
        access.requireUsable();
        return access.clear(GroupRange.only(fullName));
    }

    @Override
    public long clear(KeyRange range) {
        return walk.clear(range).getAsLong();
    }

    @Override
    public long sweep(Duration maxAge) {
        return walk.sweep(maxAge).getAsLong();
    }

    @Override
    public Optional<V> getAndExpire(String key, Expiry expiry) {
        return counted(computed.answer(key, computed.getAndExpire(key, expiry)).orElse(null));
    }

    @Override
    public boolean expire(String key, Expiry expiry) {
        return mutations.reschedule(key, expiry).on(access);
    }

    @Override
    public long expireAll(KeyRange range, Expiry expiry) {
        return walk.expireAll(range, mutations.rule(expiry)).getAsLong();
    }

    @Override
    public long expireAll(Collection<String> keys, Expiry expiry) {
        return mutations.rescheduleAll(keys, expiry).on(access);
    }

    @Override
    public Watch watch(WatchOptions options) {
        access.requireUsable();
        Objects.requireNonNull(options, "'options' must not be null");
        if (options.group() != null && !options.group().equals(name)) {
            throw new IllegalArgumentException("'options' must not name another group than '" + Printable.of(name)
                    + "'; open the watch on the store or the scope");
        }
        String prefix = fullName.substring(0, fullName.length() - name.length());
        return new LocalEvents(prefix).watch(access, options.ofGroup(name));
    }

    @Override
    public Optional<V> valueOf(EntryPut event) {
        byte[] encoded =
                Objects.requireNonNull(event, "'event' must not be null").value();
        return encoded == null ? Optional.empty() : Optional.ofNullable(values.decodeOpened(encoded));
    }

    ComputedWrites<V> computed() {
        return computed;
    }

    GroupWalk walk() {
        return walk;
    }

    /** Returns a text with the full name of the group. */
    @Override
    public String toString() {
        return "Group[" + Printable.of(fullName) + "]";
    }

    @Override
    public AsyncGroup<V> async() {
        access.requireAsync();
        return new DefaultAsyncGroup<>(access, mutations, computed, walk);
    }
}
