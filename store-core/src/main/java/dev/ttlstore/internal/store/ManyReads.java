package dev.ttlstore.internal.store;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Entry;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.Utf8;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.stats.Meter.EntryCounts;
import dev.ttlstore.internal.value.RowValues;

/**
 * The reads of a group that answer with many entries. One whose value cannot be read is left out if the policy says so.
 *
 * @param group the full name of the group
 * @param access reaches the rows
 * @param values decodes values
 * @param counts counts hits and misses
 * @param <V> the type of the values
 */
record ManyReads<V>(String group, RowAccess access, RowValues<V> values, EntryCounts counts) {

    /** Reads what a caller wants of a row; null if the row counts as absent. */
    interface RowDecoder<T> {
        @Nullable
        T of(Row row);
    }

    /** Reads all values, in the order of their keys. */
    Map<String, V> all() {
        access.requireUsable();
        RowPage page = access.reads().page(Scan.values(group, Reads.NOW));
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

    /** Reads what is wanted of the entries under some keys. */
    <T> Map<String, T> of(Collection<String> keys, RowDecoder<T> reading) {
        access.requireUsable();
        Objects.requireNonNull(keys, "'keys' must not be null");
        List<RowKey> wanted =
                keys.stream().map(key -> access.rowKey(group, key)).toList();
        SortedMap<String, T> some = new TreeMap<>(Utf8.ORDER);
        access.reads().get(wanted, Reads.NOW).forEach((key, row) -> {
            T read = reading.of(row);
            if (read != null) {
                some.put(key.key(), read);
            }
        });
        keys.forEach(key -> counts.read(some.containsKey(key)));
        return Collections.unmodifiableMap(some);
    }

    /** Converts rows to entries. */
    Stream<Entry<V>> entries(Stream<Row> rows) {
        return rows.flatMap(row -> {
            Entry<V> entry = values.entry(row, access.now());
            return Stream.ofNullable(entry);
        });
    }
}
