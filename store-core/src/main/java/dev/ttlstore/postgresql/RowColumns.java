package dev.ttlstore.postgresql;

import java.lang.reflect.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/** Converts between rows of the store and columns. */
final class RowColumns {

    /** Replaces null by a number, so that one call reads it. */
    static final String EXPIRY = "coalesce(e.expires_at, " + Row.NEVER + ")";

    private RowColumns() {}

    /** Reads a time; {@link Row#NEVER} if it is null. */
    static long time(ResultSet row, int column) throws SQLException {
        long time = row.getLong(column);
        return row.wasNull() ? Row.NEVER : time;
    }

    /** Reads a number; null if it is null. */
    static @Nullable Long numberOrNull(ResultSet row, int column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? null : (Long) number;
    }

    /** Returns a time as a column has it: null if there is none. */
    static @Nullable Long time(long time) {
        return time == Row.NEVER ? null : time;
    }

    /** Reads a group and, from the next column, a key. */
    static RowKey key(ResultSet row, int column) throws SQLException {
        return new RowKey(row.getString(column), row.getString(column + 1));
    }

    /** Reads the columns version, created_at, updated_at, the expiry and value, in this order. */
    static Row row(RowKey key, ResultSet row) throws SQLException {
        return new Row(key, row.getBytes(5), row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4));
    }

    /** Reads the columns grp, key, version, expires_at and the size, in this order. */
    static ExpiryRow expiryRow(ResultSet row) throws SQLException {
        return new ExpiryRow(key(row, 1), row.getLong(3), row.getLong(4), row.getLong(5));
    }

    /**
     * Rows, column by column. As a parameter of a {@link Script}, it stands for all of its columns.
     *
     * @param all the columns, which have the same length. In a statement for {@code {each}} slot, the first one has the slots
     */
    record Columns(List<Column> all) {

        Columns(Type... types) {
            this(Stream.of(types).map(Column::new).toList());
        }

        /** Columns for slots, groups and keys. */
        static Columns names() {
            return new Columns(Type.INTEGER, Type.TEXT, Type.TEXT);
        }

        static Columns names(Slots slots, Collection<RowKey> names) {
            Columns columns = names();
            names.forEach(name -> columns.add(slots.of(name.group()), name.group(), name.key()));
            return columns;
        }

        /** Slots and ids. */
        static Columns ids(Slots slots, Collection<Long> ids) {
            Columns columns = new Columns(Type.INTEGER, Type.NUMBER);
            ids.forEach(id -> columns.add(slots.slot(id), id));
            return columns;
        }

        /** Adds a row. */
        void add(@Nullable Object... row) {
            for (int i = 0; i < row.length; i++) {
                all.get(i).add(row[i]);
            }
        }

        /** Returns how many rows there are. */
        int rows() {
            return all.get(0).size();
        }

        boolean isEmpty() {
            return rows() == 0;
        }

        /** Returns the elements of a row as parameters of their own. */
        List<Object> row(int place) {
            return all.stream().map(column -> column.at(place)).toList();
        }

        /** Returns some of the rows. */
        Columns only(List<Integer> places) {
            return new Columns(all.stream().map(column -> column.only(places)).toList());
        }
    }

    static Column integers(Collection<Integer> numbers) {
        return new Column(Type.INTEGER, numbers);
    }

    static Column numbers(Collection<Long> numbers) {
        return new Column(Type.NUMBER, numbers);
    }

    static Column texts(Collection<String> texts) {
        return new Column(Type.TEXT, texts);
    }

    /** A type of columns. As a parameter, it stands for a missing value. */
    enum Type {
        INTEGER("integer", Types.BIGINT, Integer.class),
        NUMBER("bigint", Types.BIGINT, Long.class),
        TEXT("text", Types.VARCHAR, String.class),
        BYTES("bytea", Types.BINARY, byte[].class);

        final String sql;
        final int ofNull;
        private final Class<?> element;

        Type(String sql, int ofNull, Class<?> element) {
            this.sql = sql;
            this.ofNull = ofNull;
            this.element = element;
        }
    }

    /** A column of values for {@code unnest}. */
    static final class Column {
        private final Type type;
        private final List<@Nullable Object> elements = new ArrayList<>();

        Column(Type type) {
            this.type = type;
        }

        private Column(Type type, Collection<?> elements) {
            this(type);
            this.elements.addAll(elements);
        }

        void add(@Nullable Object element) {
            elements.add(element);
        }

        int size() {
            return elements.size();
        }

        /** Returns where each number is, for a column of slots. */
        Map<Integer, List<Integer>> places() {
            Map<Integer, List<Integer>> places = new TreeMap<>();
            for (int i = 0; i < elements.size(); i++) {
                places.computeIfAbsent((Integer) elements.get(i), slot -> new ArrayList<>())
                        .add(i);
            }
            return places;
        }

        /** Returns a column with some of the elements. */
        Column only(List<Integer> places) {
            Column some = new Column(type);
            places.forEach(place -> some.add(elements.get(place)));
            return some;
        }

        /** Returns an element as a parameter of its own. */
        Object at(int place) {
            Object element = elements.get(place);
            return element == null ? type : element;
        }

        Type type() {
            return type;
        }

        Object[] toArray() {
            return elements.toArray((Object[]) Array.newInstance(type.element, 0));
        }
    }
}
