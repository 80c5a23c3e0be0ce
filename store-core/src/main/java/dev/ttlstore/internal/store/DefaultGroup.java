package dev.ttlstore.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.AsyncGroup;
import dev.ttlstore.Codec;
import dev.ttlstore.Entry;
import dev.ttlstore.Group;
import dev.ttlstore.KeyRange;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.Names;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Utf8;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.internal.access.GroupWalk;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.commit.Expiry;
import dev.ttlstore.internal.commit.Mutations;
import dev.ttlstore.internal.stats.Meter.EntryCounts;
import dev.ttlstore.internal.value.RowValues;

/** Validates and encodes what callers pass, and decodes what they get. */
sealed class DefaultGroup<V> implements Group<V> permits DefaultCounters, DefaultTextGroup {

    private static final int MAX_PAGE = 10_000;

    private final String name;
    private final String fullName;
    private final RowValues<V> values;
    private final RowAccess access;
    private final GroupMutations<V> mutations;
    private final OptimisticWrites<V> optimistic;
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
        this.optimistic = new OptimisticWrites<>(access, mutations);
        this.walk = new GroupWalk(access, fullName);
        this.counts = access.context().meter().of(fullName);
    }

    RowAccess access() {
        return access;
    }

    GroupMutations<V> mutations() {
        return mutations;
    }

    RowKey rowKey(String key) {
        return mutations.rowKey(key);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<V> get(String key) {
        Row row = access.read(rowKey(key));
        return counted(row == null ? null : values.decode(row));
    }

    @Override
    public Optional<Entry<V>> entry(String key) {
        Row row = access.read(rowKey(key));
        return counted(row == null ? null : values.entry(row, access.now()));
    }

    private <T> Optional<T> counted(@Nullable T answer) {
        counts.read(answer != null);
        return Optional.ofNullable(answer);
    }

    @Override
    public Map<String, V> getAll() {
        access.requireUsable();
        Map<String, V> all = new LinkedHashMap<>();
        for (KeyValue row : access.readGroup(fullName)) {
            V value = values.decode(row.key(), row.value());
            if (value != null) {
                all.put(row.key(), value);
            }
        }
        return Collections.unmodifiableMap(all);
    }

    @Override
    public Map<String, V> getAll(Collection<String> keys) {
        access.requireUsable();
        Objects.requireNonNull(keys, "'keys' must not be null");
        List<RowKey> wanted = keys.stream().map(this::rowKey).toList();
        SortedMap<String, V> some = new TreeMap<>(Utf8.ORDER);
        access.read(wanted).forEach((key, row) -> {
            V value = values.decode(row);
            if (value != null) {
                some.put(key.key(), value);
            }
        });
        keys.forEach(key -> counts.read(some.containsKey(key)));
        return Collections.unmodifiableMap(some);
    }

    @Override
    public Stream<String> keys() {
        return walk.rows(KeyRange.all())
                .flatMap(row -> Stream.ofNullable(walk.current(row)))
                .map(row -> row.key().key());
    }

    @Override
    public Stream<Entry<V>> entries() {
        return entries(KeyRange.all());
    }

    @Override
    public Stream<Entry<V>> entries(KeyRange range) {
        Objects.requireNonNull(range, "'range' must not be null");
        return walk.rows(range)
                .flatMap(row -> Stream.ofNullable(currentEntry(row)))
                .limit(range.maxEntries());
    }

    @Override
    public List<Entry<V>> page(@Nullable String afterKey, int limit) {
        if (limit < 1 || limit > MAX_PAGE) {
            throw new IllegalArgumentException("'limit' must be 1 to 10,000, but is " + limit);
        }
        KeyRange all = KeyRange.all();
        KeyRange range = afterKey == null ? all : KeyRange.from(Utf8.next(Names.require(afterKey, "afterKey")));
        return entries(range.limit(limit)).toList();
    }

    @Override
    public boolean contains(String key) {
        boolean found = access.read(rowKey(key)) != null;
        counts.read(found);
        return found;
    }

    @Override
    public long count() {
        access.requireUsable();
        return access.count(GroupRange.only(fullName), access.now());
    }

    @Override
    public long count(Instant at) {
        access.requireUsable();
        return access.count(GroupRange.only(fullName), Math.max(Millis.of(at, "at"), access.now()));
    }

    @Override
    public void put(String key, V value) {
        access.submit(mutations.put(key, value, mutations.standing()));
    }

    @Override
    public void put(String key, V value, Duration ttl) {
        access.submit(mutations.put(key, value, mutations.after(ttl)));
    }

    @Override
    public void put(String key, V value, Instant expiresAt) {
        access.submit(mutations.put(key, value, mutations.at(expiresAt)));
    }

    @Override
    public void putAll(Map<String, ? extends V> given) {
        access.submit(mutations.putAll(given, mutations.standing()));
    }

    @Override
    public void putAll(Map<String, ? extends V> given, Duration ttl) {
        access.submit(mutations.putAll(given, mutations.after(ttl)));
    }

    @Override
    public boolean putIfAbsent(String key, V value) {
        return access.submit(mutations.putIfAbsent(key, value, mutations.standing()));
    }

    @Override
    public boolean putIfAbsent(String key, V value, Duration ttl) {
        return access.submit(mutations.putIfAbsent(key, value, mutations.after(ttl)));
    }

    @Override
    public boolean replace(String key, V expected, V value) {
        return access.submit(mutations.replace(key, expected, value, mutations.standing()));
    }

    @Override
    public boolean replace(String key, V expected, V value, Duration ttl) {
        return access.submit(mutations.replace(key, expected, value, mutations.after(ttl)));
    }

    @Override
    public boolean replaceVersion(String key, long version, V value) {
        return access.submit(mutations.replaceVersion(key, version, value, mutations.standing()));
    }

    @Override
    public boolean replaceVersion(String key, long version, V value, Duration ttl) {
        return access.submit(mutations.replaceVersion(key, version, value, mutations.after(ttl)));
    }

    @Override
    public Optional<V> update(String key, UnaryOperator<V> change) {
        Objects.requireNonNull(change, "'change' must not be null");
        return optimistic.update(key, change);
    }

    @Override
    public V getOrPut(String key, Duration ttl, Supplier<? extends V> loader) {
        Objects.requireNonNull(loader, "'loader' must not be null");
        return optimistic.getOrLoad(key, mutations.after(ttl), () -> get(key), loader);
    }

    @Override
    public String add(V value) {
        return optimistic.add(value, mutations.standing());
    }

    @Override
    public String add(V value, Duration ttl) {
        return optimistic.add(value, mutations.after(ttl));
    }

    @Override
    public boolean delete(String key) {
        return access.submit(mutations.delete(key));
    }

    @Override
    public boolean delete(String key, V expected) {
        return access.submit(mutations.delete(key, expected));
    }

    @Override
    public boolean deleteVersion(String key, long version) {
        return access.submit(mutations.deleteVersion(key, version));
    }

    @Override
    public Optional<V> take(String key) {
        return optimistic.take(key);
    }

    @Override
    public long clear() {
        access.requireUsable();
        return access.clear(GroupRange.only(fullName));
    }

    @Override
    public long sweep(Duration maxAge) {
        Objects.requireNonNull(maxAge, "'maxAge' must not be null");
        access.requireUsable();
        long oldest = Millis.ago(maxAge, "maxAge", access.now());
        return walk.change("Removing old entries", row -> row.createdAt() <= oldest, Mutations::deleteAll);
    }

    @Override
    public boolean expire(String key, Duration ttl) {
        return access.submit(mutations.reschedule(key, mutations.after(ttl)));
    }

    @Override
    public boolean expire(String key, Instant expiresAt) {
        return access.submit(mutations.reschedule(key, mutations.at(expiresAt)));
    }

    @Override
    public boolean persist(String key) {
        return access.submit(mutations.reschedule(key, Expiry.NEVER));
    }

    @Override
    public long expireAll() {
        return rescheduleAll(Expiry.NOW);
    }

    @Override
    public long expireAll(Duration ttl) {
        return rescheduleAll(mutations.after(ttl));
    }

    private long rescheduleAll(Expiry expiry) {
        return walk.change("Giving entries another expiry", row -> true, rows -> Mutations.rescheduleAll(rows, expiry));
    }

    @Override
    public Watch watch() {
        return watch(WatchOptions.defaults());
    }

    @Override
    public Watch watch(WatchOptions options) {
        access.requireUsable();
        return watch(local().ofGroup(name), options);
    }

    @Override
    public Watch watch(String key) {
        return watch(key, WatchOptions.defaults());
    }

    @Override
    public Watch watch(String key, WatchOptions options) {
        return watch(local().ofKey(name, rowKey(key).key()), options);
    }

    private Watch watch(Predicate<StoreEvent> filter, WatchOptions options) {
        Objects.requireNonNull(options, "'options' must not be null");
        return access.watch(options, filter, local().localizer());
    }

    private LocalEvents local() {
        return new LocalEvents(fullName.substring(0, fullName.length() - name.length()));
    }

    @Override
    public AsyncGroup<V> async() {
        access.requireAsync();
        return new DefaultAsyncGroup<>(access, mutations);
    }

    private @Nullable Entry<V> currentEntry(Row row) {
        Row current = walk.current(row);
        return current == null ? null : values.entry(current, access.now());
    }
}
