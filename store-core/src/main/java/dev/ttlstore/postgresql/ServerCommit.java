package dev.ttlstore.postgresql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.postgresql.LogRow.CommitPlace;
import dev.ttlstore.postgresql.LogRow.LogPlace;

import static dev.ttlstore.postgresql.RowColumns.Type.NUMBER;
import static java.util.Objects.requireNonNull;

/**
 * A call of the server's function, which locks, decides, stores and logs a batch and commits with it. Nothing of it is decided here;
 * by what the function has found, this node computes the answers and the events afterwards. Used by one thread.
 */
final class ServerCommit {

    /** What the rows of the result begin with. */
    private static final int END = 0;

    private static final int FOUND = 1;
    private static final int SLOT = 2;
    private static final int NEWS = 3;

    /** Stands for changes of this node, which are known. */
    private static final byte[] SOME_CHANGES = {0};

    static final byte[] NO_BYTES = {};

    /** Numbers of one slot may be far ahead of those of another one, so each is looked through from its own place. */
    private static final String LOGGED = """
            SELECT s.slot, l.seq, l.at, l.due, l.changes,
                   (SELECT o.seq FROM @log o WHERE o.slot = s.slot ORDER BY o.seq LIMIT 1) <= s.seq
              FROM {slots seq}
              LEFT JOIN LATERAL (SELECT n.* FROM @log n WHERE n.slot = s.slot AND n.seq >= s.seq AND n.batch = ? LIMIT 1) l ON true
             ORDER BY s.slot
            """;

    private static final String ONE = """
            SELECT * FROM @apply_one_1(?::uuid, ?, ?, ?::bigint, ?, ?, ?, ?, ?::text, ?::text,
                   ?, ?::bigint, ?::text, ?::text, ?::text, ?::bytea, ?, ?, ?::bytea, ?::bytea, ?, ?, ?, ?, ?::bigint, ?::bigint, ?::bigint)
            """;

    /** What is missing is an empty array. For a null, which has no type, the driver would prepare another statement. */
    private static final String MANY = """
            SELECT * FROM @apply_1(?::uuid, ?, ?, ?::bigint, ?, ?, ?, ?, ?, ?::text, ?::text, ?::integer[], ?::bigint[],
                   ?::integer[], ?::text[], ?::text[], ?::text[], ?::bytea[], ?::integer[], ?::integer[], ?::integer[], ?::bytea[], ?::bytea[],
                   ?::bigint[], ?::integer[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[])
            """;

    private final NodeContext node;
    private final ServerBatch batch;
    private final UUID id = UUID.randomUUID();
    private final long ceiling;
    private final SortedMap<Integer, LogPlace> places;
    private final List<LogRow> own = new ArrayList<>();
    private final List<LogRow> news = new ArrayList<>();
    private @Nullable FoundRows found;
    private @Nullable FallbackReason reason;
    private long largestNumber = Long.MIN_VALUE;

    /** Whether the log of a slot no longer goes back to this commit, so that it tells nothing of it. */
    private boolean trimmed;

    /**
     * Prepares a call.
     *
     * @param node what all commits share
     * @param batch the batch
     * @param ceiling the numbers of the commit are less than this one
     */
    ServerCommit(NodeContext node, ServerBatch batch, long ceiling) {
        this.node = node;
        this.batch = batch;
        this.ceiling = ceiling;
        this.places = node.cursor().places(batch.slots());
    }

    /** Returns where the commit is in the log if it was made. */
    CommitPlace place() {
        int slot = batch.slots().first();
        return new CommitPlace(id, slot, from(slot), ceiling);
    }

    /** Returns the number from which on the commit is in the log of a slot. */
    private long from(int slot) {
        LogPlace place = places.get(slot);
        return place == null ? 0 : place.seq();
    }

    UUID id() {
        return id;
    }

    Batch.Requests requests() {
        return batch.requests();
    }

    /** Calls the function. When it returns, the batch is committed, unless there is a {@link #reason} why not. */
    void send(Connections.Borrowed connection) throws SQLException {
        Timeouts timeouts = node.timeouts().workingOn(batch.keys().size(), batch.bytes());
        List<@Nullable Object> values = new ArrayList<>(32);
        values.addAll(List.of(
                id,
                ceiling,
                node.timelines().server(batch.slots().first()),
                Script.orNull(node.connections().sql().clock(), NUMBER),
                node.clock().now(),
                node.clock().reached(),
                node.slots().count(),
                !requests().settings().retained().isEmpty()));
        Script script = node.connections().script();
        boolean followed = node.clock().isFollowing(); // after a pause, there may be many news, which are read in parts
        if (ServerBatch.isSingle(batch.requests())) {
            LogPlace place = followed ? places.get(batch.slots().first()) : null;
            values.addAll(List.of(timeouts.lockText(), timeouts.bound()));
            values.addAll(batch.single(place == null ? NUMBER : place.seq()));
            connection.run(script.query(ONE, reading(this::readOne), values.toArray()));
        } else {
            values.addAll(List.of(
                    requests().requests().size() > 1 ? Batch.MOST_LOADED : Long.MAX_VALUE,
                    timeouts.lockText(),
                    timeouts.bound(),
                    RowColumns.integers(batch.slots())));
            values.add(
                    followed && places.size() == batch.slots().size()
                            ? RowColumns.numbers(
                                    places.values().stream().map(LogPlace::seq).toList())
                            : new RowColumns.Column(NUMBER));
            values.addAll(batch.columns());
            connection.run(script.query(MANY, reading(this::read), values.toArray()));
            Collections.reverse(news);
        }
    }

    /** An answer that cannot be read is one that is lost: the commit may be made. */
    private static Script.RowHandler reading(Script.RowHandler handler) {
        return row -> {
            try {
                handler.read(row);
            } catch (RuntimeException e) {
                throw Script.unanswered(e);
            }
        };
    }

    private void readOne(ResultSet row) throws SQLException {
        int code = row.getInt(1);
        if (code > 0) {
            decline(code, row, 12);
            return;
        }
        RowKey key = batch.keys().get(0);
        int slot = batch.slots().first();
        FoundRows rows = begin(row.getLong(2), row.getLong(3));
        if (row.getBoolean(5)) {
            rows.add(row(row, key, 6, 10, row.getBoolean(11)));
        }
        number(rows, slot, row.getLong(12));
        long last = row.getLong(13);
        if (!row.wasNull()) {
            own.add(new LogRow(slot, last, id, row.getLong(14), false, row.getInt(17) > 0 ? SOME_CHANGES : null));
        }
        compare(slot, row.getLong(15), row.getObject(16, UUID.class));
        if (row.getArray(18) != null) {
            readNews(slot, row);
        }
    }

    private void readNews(int slot, ResultSet row) throws SQLException {
        Long[] seqs = (Long[]) row.getArray(18).getArray();
        Long[] dues = (Long[]) row.getArray(19).getArray();
        byte[][] changes = (byte[][]) row.getArray(20).getArray();
        UUID[] ids = (UUID[]) row.getArray(21).getArray();
        Boolean[] deliveries = (Boolean[]) row.getArray(22).getArray();
        for (int i = seqs.length - 1; i >= 0; i--) {
            news.add(new LogRow(slot, seqs[i], ids[i], dues[i], deliveries[i], changes[i]));
        }
    }

    private void read(ResultSet row) throws SQLException {
        switch (row.getInt(1)) {
            case END -> readEnd(row);
            case FOUND -> readRow(row);
            case SLOT -> readSlot(row);
            case NEWS ->
                news.add(new LogRow(
                        row.getInt(2),
                        row.getLong(3),
                        requireNonNull(row.getObject(8, UUID.class)),
                        RowColumns.time(row, 4),
                        row.getBoolean(9),
                        row.getBytes(7)));
            default ->
                throw new IllegalStateException("The function of the server has returned an unknown kind of row");
        }
    }

    private void readEnd(ResultSet row) throws SQLException {
        int code = row.getInt(2);
        if (code > 0) {
            decline(code, row, 6);
        } else {
            FoundRows unused = begin(row.getLong(3), row.getLong(4));
        }
    }

    private void decline(int code, ResultSet row, int column) throws SQLException {
        reason = FallbackReason.of(code);
        long number = row.getLong(column);
        largestNumber = row.wasNull() ? largestNumber : number;
    }

    private FoundRows begin(long time, long micros) {
        node.clock().heard(micros);
        long unused = node.clock().told(time);
        FoundRows begun = new FoundRows(node.slots(), time);
        found = begun;
        return begun;
    }

    private void readRow(ResultSet row) throws SQLException {
        found().add(row(row, batch.keys().get(row.getInt(2) - 1), 3, 7, row.getBoolean(9)));
    }

    private Row row(ResultSet row, RowKey key, int version, int value, boolean changed) throws SQLException {
        byte[] bytes = row.getBytes(value);
        Row there = new Row(
                key,
                bytes == null ? NO_BYTES : bytes,
                row.getLong(version),
                row.getLong(version + 1),
                row.getLong(version + 2),
                row.getLong(version + 3));
        return batch.completed(key, there, changed);
    }

    private void readSlot(ResultSet row) throws SQLException {
        int slot = row.getInt(2);
        number(found(), slot, row.getLong(3));
        long last = row.getLong(4);
        if (!row.wasNull()) {
            own.add(new LogRow(slot, last, id, row.getLong(5), false, row.getBoolean(9) ? SOME_CHANGES : null));
        }
        compare(slot, row.getLong(6), row.getObject(8, UUID.class));
    }

    private void number(FoundRows rows, int slot, long first) {
        largestNumber = Math.max(largestNumber, first);
        rows.startFrom(slot, first);
    }

    /** Notes that nobody has committed since this node's place, if the head is that. */
    private void compare(int slot, long seq, UUID head) {
        LogPlace place = places.get(slot);
        if (place != null && place.seq() == seq && place.batch().equals(head)) {
            news.add(new LogRow(slot, seq, head, Row.NEVER, false, null));
        }
    }

    /** Returns why the server has done nothing; null if it has. */
    @Nullable
    FallbackReason reason() {
        return reason;
    }

    /** Returns the largest number of a slot that the server has told; the smallest one if none. */
    long largestNumber() {
        return largestNumber;
    }

    /** Returns what the server has found. */
    FoundRows found() {
        return requireNonNull(found);
    }

    /** Returns what this commit has added to the log. */
    List<LogRow> own() {
        return own;
    }

    /** Returns the commits of others that came before this one, each slot's in their order. */
    List<LogRow> news() {
        return news;
    }

    /**
     * Asks the log for what was found, and for what came before, after the commit was made and its answer was lost.
     *
     * @return whether the log tells all of it
     */
    boolean ask() {
        own.clear();
        news.clear();
        found = null;
        List<LogRow> logged = new ArrayList<>();
        Set<Integer> missing = new TreeSet<>();
        Set<Long> times = new TreeSet<>();
        Script script = node.connections()
                .script()
                .query(
                        LOGGED,
                        row -> {
                            int slot = row.getInt(1);
                            long seq = row.getLong(2);
                            if (!row.wasNull()) {
                                logged.add(new LogRow(slot, seq, id, RowColumns.time(row, 4), false, row.getBytes(5)));
                                times.add(row.getLong(3));
                            } else if (!row.getBoolean(6)) {
                                missing.add(slot);
                            }
                        },
                        RowColumns.integers(batch.slots()),
                        RowColumns.numbers(
                                batch.slots().stream().map(this::from).toList()),
                        id);
        List<LogRow> since = node.cursor().news(script, batch.slots());
        node.connections().run(script);
        own.addAll(logged);
        trimmed = !missing.isEmpty();
        LogRow.bySlot(since).values().stream()
                .filter(rows -> !LogRow.isPart(rows)) // a part may end before this commit, and is read on afterwards
                .flatMap(List::stream)
                .filter(row -> own.stream().anyMatch(mine -> mine.slot() == row.slot() && row.seq() < mine.seq()))
                .forEach(news::add);
        boolean told = times.size() == 1 && !trimmed;
        found = told
                ? FoundRows.logged(node.slots(), batch, own, times.iterator().next())
                : null;
        return found != null;
    }

    /** Tests whether the log says that nothing was done that must not be done twice, after it was {@linkplain #ask asked}. */
    boolean hasOnlyRenewed() {
        return !own.isEmpty() && !trimmed && own.stream().allMatch(row -> row.changes() == null);
    }
}
