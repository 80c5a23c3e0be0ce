package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.postgresql.RowColumns.Columns;
import dev.ttlstore.transaction.ApplicationTransaction;

import static java.util.Objects.requireNonNull;

/**
 * Statements that go to the server in one round trip, as one text, unless they have more parameters than a message may. Results are
 * handed out when all statements of a text have run. If one fails, the later ones do not run. Used by one thread.
 *
 * <p>Some parameters stand for several: a {@link RowKey} for its group and its key, a {@link GroupRange} for its lower bound and, twice, its
 * upper one, and {@link Columns} for its columns.
 */
final class Script {

    /** How many rows one statement inserts as values. */
    private static final int MOST_VALUES = 64;

    /** How many parameters a message of PostgreSQL's protocol may have. */
    private static final int MOST_PARAMETERS = 65_535;

    private final Sql sql;
    private final List<Step> steps = new ArrayList<>();

    /** Reads a row of a result. */
    @FunctionalInterface
    interface RowHandler {
        void read(ResultSet row) throws SQLException;
    }

    /** Makes something of a row of a result. */
    @FunctionalInterface
    interface RowMapper<T> {
        T of(ResultSet row) throws SQLException;
    }

    private final List<Runnable> ends = new ArrayList<>();

    /** What becomes of the result of a statement. */
    private record Result(
            @Nullable RowHandler reader, @Nullable LongConsumer counted) {}

    private record Step(String text, List<@Nullable Object> values, Result result) {}

    Script(Sql sql) {
        this.sql = sql;
    }

    /** Adds a statement whose result does not matter. */
    Script add(String template, @Nullable Object... parameters) {
        return add(new Result(null, null), template, parameters);
    }

    /** Adds a query; the reader gets each row. */
    Script query(String template, RowHandler reader, @Nullable Object... parameters) {
        return add(new Result(reader, null), template, parameters);
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
            String template,
            List<Integer> slots,
            RowHandler reader,
            Function<RowColumns.Column, List<@Nullable Object>> parameters) {
        if (!sql.isDistributed()) {
            return query(
                    Sql.steps(template, null),
                    reader,
                    parameters.apply(RowColumns.integers(slots)).toArray());
        }
        for (int slot : slots) {
            Script unused = query(
                    Sql.steps(template, slot),
                    reader,
                    parameters.apply(RowColumns.integers(List.of(slot))).toArray());
        }
        return this;
    }

    /** Adds a change; the consumer gets the number of changed rows. */
    Script count(String template, LongConsumer counted, @Nullable Object... parameters) {
        return add(new Result(null, counted), template, parameters);
    }

    private Script add(Result result, String template, @Nullable Object... parameters) {
        if (sql.isDistributed() && Sql.isForEachSlot(template)) {
            return addForEachSlot(result, template, parameters);
        }
        return addOne(result, template, parameters);
    }

    /** Adds a statement for each slot, with its rows only. */
    private Script addForEachSlot(Result result, String template, @Nullable Object... parameters) {
        Columns rows = (Columns) Stream.of(parameters)
                .filter(Columns.class::isInstance)
                .findFirst()
                .orElseThrow();
        rows.all().get(0).places().forEach((slot, places) -> {
            List<@Nullable Object> own = new ArrayList<>();
            for (Object parameter : parameters) {
                own.add(parameter instanceof Columns columns ? columns.only(places) : parameter);
            }
            own.add(slot);
            Script unused = addOne(result, template, own.toArray());
        });
        return this;
    }

    /**
     * Adds what inserts rows.
     *
     * @param template has a place for the rows
     * @param rows the rows, in the columns of the table that the template names
     */
    Script insert(String template, Columns rows) {
        if (isDistributed()) {
            return insertValues(template, rows);
        }
        String arrays = rows.all().stream()
                .map(column -> "?::" + column.type().sql + "[]")
                .collect(Collectors.joining(", ", "SELECT * FROM unnest(", ") r"));
        return add(template.formatted(arrays), rows);
    }

    /**
     * Adds statements that insert rows as values, for a distributed database, which takes them faster than arrays. Each has a
     * number of rows that is a power of two, so that there are few different texts.
     *
     * @param template has a place for the rows
     * @param all the rows, in the columns of the table that the template names
     */
    Script insertValues(String template, Columns all) {
        String row = "(" + String.join(", ", Collections.nCopies(all.all().size(), "?")) + ")";
        int from = 0;
        while (from < all.rows()) {
            int rows = Math.min(MOST_VALUES, Integer.highestOneBit(all.rows() - from));
            Object[] parameters = IntStream.range(from, from + rows)
                    .mapToObj(all::row)
                    .flatMap(List::stream)
                    .toArray();
            Script unused =
                    add(template.formatted("VALUES " + String.join(", ", Collections.nCopies(rows, row))), parameters);
            from += rows;
        }
        return this;
    }

    private Script addOne(Result result, String template, @Nullable Object... parameters) {
        List<@Nullable Object> values = new ArrayList<>(parameters.length);
        for (Object parameter : parameters) {
            expand(parameter, values);
        }
        steps.add(new Step(sql.of(template), values, result));
        return this;
    }

    /** Adds the values for which a parameter stands. */
    private static void expand(@Nullable Object parameter, List<@Nullable Object> values) {
        if (parameter instanceof RowKey key) {
            values.addAll(List.of(key.group(), key.key()));
        } else if (parameter instanceof GroupRange groups) {
            Object to = orNull(groups.to(), RowColumns.Type.TEXT);
            values.addAll(List.of(groups.from(), to, to));
        } else if (parameter instanceof Columns columns) {
            values.addAll(columns.all());
        } else {
            values.add(parameter);
        }
    }

    /** Adds what happens when all statements have run. */
    Script then(Runnable end) {
        ends.add(end);
        return this;
    }

    /** Adds all statements of another script. */
    Script append(Script other) {
        steps.addAll(other.steps);
        ends.addAll(other.ends);
        return this;
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    /** Tests whether the tables are distributed by slot. */
    boolean isDistributed() {
        return sql.isDistributed();
    }

    /** Tests whether there may be nodes of an earlier version, which know only its locks. */
    boolean hasEarlierNodes() {
        return sql.hasEarlierNodes();
    }

    /**
     * Runs the statements.
     *
     * @param connection the connection
     * @param lender the transaction of the application to which it belongs, which limits the statements; null if there is none
     */
    void run(Connection connection, @Nullable ApplicationTransaction lender) throws SQLException {
        int from = 0;
        while (from < steps.size()) {
            int to = from;
            int parameters = 0;
            do {
                parameters += steps.get(to++).values().size();
            } while (to < steps.size() && parameters + steps.get(to).values().size() <= MOST_PARAMETERS);
            run(steps.subList(from, to), connection, lender);
            from = to;
        }
        ends.forEach(Runnable::run);
    }

    private static void run(List<Step> steps, Connection connection, @Nullable ApplicationTransaction lender)
            throws SQLException {
        String text = steps.size() == 1
                ? steps.get(0).text()
                : steps.stream().map(Step::text).collect(Collectors.joining(";\n"));
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            if (lender != null) {
                lender.limit(statement);
            }
            int index = 1;
            for (Step step : steps) {
                for (Object value : step.values()) {
                    bind(connection, statement, index++, value);
                }
            }
            boolean isResult = execute(statement);
            for (int i = 0; i < steps.size(); i++) {
                read(steps.get(i).result(), statement, isResult);
                if (i + 1 < steps.size()) {
                    isResult = statement.getMoreResults();
                }
            }
        }
    }

    private static boolean execute(PreparedStatement statement) throws SQLException {
        try {
            return statement.execute();
        } catch (RuntimeException e) {
            throw unanswered(e);
        }
    }

    /**
     * Returns what a failure of something around the driver comes to, after a text was sent: the server may have run it, as if its answer
     * was lost.
     */
    static SQLException unanswered(RuntimeException e) {
        return e.getCause() instanceof SQLException refusal
                ? refusal
                : new SQLException("Something around the driver has thrown an exception", "58000", e);
    }

    private static void read(Result wanted, PreparedStatement statement, boolean isResult) throws SQLException {
        if (isResult && wanted.reader() != null) {
            try (ResultSet result = statement.getResultSet()) {
                while (result.next()) {
                    wanted.reader().read(result);
                }
            }
        } else if (!isResult && wanted.counted() != null) {
            wanted.counted().accept(statement.getUpdateCount());
        }
    }

    private static void bind(Connection connection, PreparedStatement statement, int index, @Nullable Object value)
            throws SQLException {
        if (value instanceof RowColumns.Column column) {
            statement.setArray(index, connection.createArrayOf(column.type().sql, column.toArray()));
        } else if (value instanceof RowColumns.Type absent) {
            statement.setNull(index, absent.ofNull);
        } else {
            statement.setObject(index, requireNonNull(value)); // a null would have no type
        }
    }

    /** Runs one query on a connection as it is, such as before it is known whether the tables are there; the reader gets each row. */
    static void each(Connection connection, String text, RowHandler reader, @Nullable Object... parameters)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(text)) {
            for (int i = 0; i < parameters.length; i++) {
                bind(connection, query, i + 1, parameters[i]);
            }
            try (ResultSet result = query.executeQuery()) {
                while (result.next()) {
                    reader.read(result);
                }
            }
        }
    }

    /** Does the same for a query that has exactly one row, and reads it. */
    static <T> T one(Connection connection, String text, RowMapper<T> reading, @Nullable Object... parameters)
            throws SQLException {
        List<T> rows = new ArrayList<>(1);
        each(connection, text, row -> rows.add(reading.of(row)), parameters);
        return rows.get(0);
    }

    /** Returns a value as a parameter, for which its type stands if it is missing. */
    static Object orNull(@Nullable Object value, RowColumns.Type type) {
        return value == null ? type : value;
    }
}
