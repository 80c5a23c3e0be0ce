package dev.ttlstore.postgresql;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Statements that go to the server in one round trip, as one text. Results are handed out when all statements have run. If one
 * fails, the later ones do not run. Used by one thread.
 */
final class Script {

    /** How many rows one statement inserts as values. */
    private static final int MOST_VALUES = 64;

    private final Sql sql;
    private final StringBuilder text = new StringBuilder();
    private final List<@Nullable Object> values = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();

    /** Reads a row of a result. */
    @FunctionalInterface
    interface Reader {
        void read(ResultSet row) throws SQLException;
    }

    private final List<Runnable> ends = new ArrayList<>();

    private record Step(@Nullable Reader reader, @Nullable LongConsumer counted) {}

    Script(Sql sql) {
        this.sql = sql;
    }

    /** Adds a statement whose result does not matter. */
    Script add(String template, @Nullable Object... parameters) {
        return add(new Step(null, null), template, parameters);
    }

    /** Adds a query; the reader gets each row. */
    Script query(String template, Reader reader, @Nullable Object... parameters) {
        return add(new Step(reader, null), template, parameters);
    }

    /**
     * Adds a query that steps through an index in each of some slots. If the tables are distributed, it becomes a query for each
     * slot, because such a database steps only within one.
     *
     * @param template names the slot of a step in braces
     * @param slots the slots
     * @param reader gets each row, in no order
     * @param parameters makes the parameters from the column of slots
     */
    Script querySteps(
            String template, List<Integer> slots, Reader reader, Function<Column, List<@Nullable Object>> parameters) {
        if (!sql.isDistributed()) {
            return query(
                    Sql.steps(template, null),
                    reader,
                    parameters.apply(Columns.integers(slots)).toArray());
        }
        for (int slot : slots) {
            Script unused = query(
                    Sql.steps(template, slot),
                    reader,
                    parameters.apply(Columns.integers(List.of(slot))).toArray());
        }
        return this;
    }

    /** Adds a change; the consumer gets the number of changed rows. */
    Script count(String template, LongConsumer counted, @Nullable Object... parameters) {
        return add(new Step(null, counted), template, parameters);
    }

    private Script add(Step step, String template, @Nullable Object... parameters) {
        if (sql.isDistributed() && Sql.isForEachSlot(template)) {
            return addForEachSlot(step, template, parameters);
        }
        return addOne(step, template, parameters);
    }

    /** Adds a statement for each slot, with its rows only. The first column has the slots of the rows, and the others are as long. */
    private Script addForEachSlot(Step step, String template, @Nullable Object... parameters) {
        Column first = (Column) Stream.of(parameters)
                .filter(Column.class::isInstance)
                .findFirst()
                .orElseThrow();
        first.places().forEach((slot, places) -> {
            List<@Nullable Object> own = new ArrayList<>();
            for (Object parameter : parameters) {
                own.add(parameter instanceof Column column ? column.only(places) : parameter);
            }
            own.add(slot);
            Script unused = addOne(step, template, own.toArray());
        });
        return this;
    }

    /**
     * Adds statements that insert rows as values, for a distributed database, which takes them faster than arrays. Each has a
     * number of rows that is a power of two, so that there are few different texts.
     *
     * @param template has a place for the rows
     * @param columns the columns of the rows
     */
    Script addValues(String template, List<Column> columns) {
        String row = "(" + String.join(", ", Collections.nCopies(columns.size(), "?")) + ")";
        int from = 0;
        while (from < columns.get(0).size()) {
            int rows =
                    Math.min(MOST_VALUES, Integer.highestOneBit(columns.get(0).size() - from));
            List<@Nullable Object> parameters = new ArrayList<>();
            for (int i = from; i < from + rows; i++) {
                for (Column column : columns) {
                    parameters.add(column.at(i));
                }
            }
            Script unused =
                    add(template.formatted(String.join(", ", Collections.nCopies(rows, row))), parameters.toArray());
            from += rows;
        }
        return this;
    }

    private Script addOne(Step step, String template, @Nullable Object... parameters) {
        if (!steps.isEmpty()) {
            text.append(";\n");
        }
        text.append(sql.of(template));
        for (Object parameter : parameters) {
            values.add(parameter);
        }
        steps.add(step);
        return this;
    }

    /** Adds what happens when all statements have run. */
    Script then(Runnable end) {
        ends.add(end);
        return this;
    }

    /** Adds all statements of another script. */
    Script append(Script other) {
        if (!other.isEmpty()) {
            if (!steps.isEmpty()) {
                text.append(";\n");
            }
            text.append(other.text);
            values.addAll(other.values);
            steps.addAll(other.steps);
            ends.addAll(other.ends);
        }
        return this;
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    /** Tests whether the tables are distributed by slot. */
    boolean isDistributed() {
        return sql.isDistributed();
    }

    /** What is done to a statement before it runs. */
    @FunctionalInterface
    interface Preparation {
        /** Nothing. */
        Preparation NONE = statement -> {};

        void prepare(Statement statement) throws SQLException;
    }

    /** Runs the statements. */
    void run(Connection connection, Preparation preparation) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text.toString())) {
            preparation.prepare(statement);
            int index = 1;
            for (Object value : values) {
                bind(connection, statement, index++, value);
            }
            boolean isResult = statement.execute();
            for (int i = 0; i < steps.size(); i++) {
                read(steps.get(i), statement, isResult);
                if (i + 1 < steps.size()) {
                    isResult = statement.getMoreResults();
                }
            }
        }
        ends.forEach(Runnable::run);
    }

    private static void read(Step step, PreparedStatement statement, boolean isResult) throws SQLException {
        if (isResult && step.reader() != null) {
            try (ResultSet result = statement.getResultSet()) {
                while (result.next()) {
                    step.reader().read(result);
                }
            }
        } else if (!isResult && step.counted() != null) {
            step.counted().accept(statement.getUpdateCount());
        }
    }

    private static void bind(Connection connection, PreparedStatement statement, int index, @Nullable Object value)
            throws SQLException {
        if (value instanceof String string) {
            statement.setString(index, string);
        } else if (value instanceof Long number) {
            statement.setLong(index, number);
        } else if (value instanceof Integer number) {
            statement.setInt(index, number);
        } else if (value instanceof byte[] bytes) {
            statement.setBytes(index, bytes);
        } else if (value instanceof Boolean bool) {
            statement.setBoolean(index, bool);
        } else if (value instanceof UUID id) {
            statement.setObject(index, id);
        } else if (value instanceof Column column) {
            Array array = connection.createArrayOf(column.type(), column.toArray());
            statement.setArray(index, array);
        } else if (value instanceof NullOf absent) {
            statement.setNull(index, absent.type);
        } else {
            throw new IllegalArgumentException("A parameter of an unknown type");
        }
    }

    /** A missing value. */
    enum NullOf {
        NUMBER(Types.BIGINT),
        TEXT(Types.VARCHAR),
        BYTES(Types.BINARY);

        private final int type;

        NullOf(int type) {
            this.type = type;
        }
    }

    static Object orNull(@Nullable String text) {
        return text == null ? NullOf.TEXT : text;
    }

    static Object orNull(@Nullable Long number) {
        return number == null ? NullOf.NUMBER : number;
    }

    static Object orNull(byte @Nullable [] bytes) {
        return bytes == null ? NullOf.BYTES : bytes;
    }

    /** A column of values for {@code unnest}. */
    static final class Column {
        private final String type;
        private final List<@Nullable Object> elements = new ArrayList<>();

        private Column(String type) {
            this.type = type;
        }

        static Column numbers() {
            return new Column("bigint");
        }

        static Column integers() {
            return new Column("integer");
        }

        static Column texts() {
            return new Column("text");
        }

        static Column bytes() {
            return new Column("bytea");
        }

        void add(@Nullable Object element) {
            elements.add(element);
        }

        int size() {
            return elements.size();
        }

        /** Returns where each number is, for a column of slots. */
        private Map<Integer, List<Integer>> places() {
            Map<Integer, List<Integer>> places = new TreeMap<>();
            for (int i = 0; i < elements.size(); i++) {
                places.computeIfAbsent((Integer) elements.get(i), slot -> new ArrayList<>())
                        .add(i);
            }
            return places;
        }

        /** Returns a column with some of the elements. */
        private Column only(List<Integer> places) {
            Column some = new Column(type);
            places.forEach(place -> some.add(elements.get(place)));
            return some;
        }

        /** Returns an element as a parameter of its own. */
        Object at(int place) {
            Object element = elements.get(place);
            return element != null
                    ? element
                    : switch (type) {
                        case "bigint", "integer" -> NullOf.NUMBER;
                        case "text" -> NullOf.TEXT;
                        default -> NullOf.BYTES;
                    };
        }

        /** Returns the only element. */
        @Nullable
        Object only() {
            return elements.get(0);
        }

        private String type() {
            return type;
        }

        private Object[] toArray() {
            return switch (type) {
                case "bigint" -> elements.toArray(new Long[0]);
                case "integer" -> elements.toArray(new Integer[0]);
                case "text" -> elements.toArray(new String[0]);
                default -> elements.toArray(new byte[0][]);
            };
        }
    }
}
