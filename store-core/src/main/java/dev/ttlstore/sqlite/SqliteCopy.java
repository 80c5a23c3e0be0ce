package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.CopyPage;
import dev.ttlstore.engine.CopyPage.Kind;
import dev.ttlstore.engine.CopyPage.StoredDelivery;
import dev.ttlstore.engine.CopySource.StoredCounts;
import dev.ttlstore.engine.CopyTarget;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.HighWater;
import dev.ttlstore.engine.Place;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/**
 * A file that is copied, or into which another store is copied. While it holds an unfinished copy, its header has another
 * application id, which no store opens, and a table names the source.
 *
 * @param engine the engine of the file
 * @param file the file, as the caller has named it
 */
record SqliteCopy(SqliteEngine engine, Path file) implements CopyTarget {

    private static final String COUNTS = """
            SELECT (SELECT count(*) FROM entry), (SELECT count(*) FROM retained),
                   (SELECT count(*) FROM subscriber), (SELECT count(*) FROM delivery)
            """;

    private static final String ENTRIES = """
            SELECT version, created_at, updated_at, ifnull(expires_at, %d), value, %s, grp, key
              FROM entry
             WHERE (grp, key) > (?, ?)
             ORDER BY grp, key
             LIMIT %d
            """.formatted(Row.NEVER, RowChecksum.COLUMN, SqliteCopy.PAGE_ROWS);

    private static final String RETAINED = """
            SELECT version, created_at, updated_at, expires_at, value, %s, grp, key
              FROM retained
             WHERE (expires_at, grp, key, version) > (?, ?, ?, ?)
             ORDER BY expires_at, grp, key, version
             LIMIT %d
            """.formatted(RowChecksum.COLUMN, SqliteCopy.PAGE_ROWS);

    private static final String DELIVERIES = """
            SELECT id, subscriber, grp, key, version, expires_at, attempts, next_at, error, value, %s
              FROM delivery
             WHERE id > ?
             ORDER BY id
             LIMIT %d
            """.formatted(RowChecksum.COLUMN, SqliteCopy.PAGE_ROWS);

    private static final String DELIVER = """
            INSERT INTO delivery (subscriber, grp, key, version, expires_at, attempts, next_at, error, value, checksum)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    private static final String CREATE_MARK = Layouts.COPY.replace("TABLE", "TABLE IF NOT EXISTS");

    private static final String MARK = "INSERT INTO copy (source) VALUES (?)";

    private static final String MARKED = "SELECT source FROM copy";

    private static final int PAGE_ROWS = 500;

    /** A page ends when its values have reached this many bytes. */
    private static final long PAGE_BYTES = 1024 * 1024;

    @Override
    public String place() {
        Path real = engine.info().path();
        return "the file " + (real == null ? file : real);
    }

    /** One process owns the file. */
    @Override
    public Activity activity() {
        return new Activity(0, "", engine.owner().reached());
    }

    @Override
    public StoredCounts counts() {
        return engine.read(session -> session.bind(COUNTS)
                .one(row -> new StoredCounts(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4))));
    }

    @Override
    public Map<RowKey, Row> find(Collection<RowKey> keys) {
        return engine.reads().get(keys, Reads.ALL);
    }

    @Override
    public CopyPage page(Kind kind, Place after) {
        return switch (kind) {
            case ENTRIES -> CopyPage.ofEntries(rows(ENTRIES, query -> query.name(after.key())));
            case RETAINED ->
                CopyPage.ofRetained(rows(
                        RETAINED,
                        query -> query.number(after.time()).name(after.key()).number(after.version())));
            case SUBSCRIBERS ->
                CopyPage.ofSubscribers(
                        after.equals(Place.START) ? engine.deliveries().subscribers() : List.of());
            case DELIVERIES ->
                CopyPage.ofDeliveries(page(
                        DELIVERIES,
                        query -> query.number(after.version()),
                        SqliteCopy::delivery,
                        delivery -> delivery.value().length));
        };
    }

    private List<Row> rows(String sql, UnaryOperator<SqliteStatement> binding) {
        return page(
                sql,
                binding,
                row -> EntryColumns.row(EntryColumns.key(row, 7), row, new RowChecksum()),
                row -> row.storedValue().length);
    }

    private static StoredDelivery delivery(ResultSet row) throws SQLException {
        long nextAt = EntryColumns.time(row, 8);
        boolean parked = nextAt == Layouts.PARKED && row.getObject(8) != null;
        RowKey key = EntryColumns.key(row, 3);
        return new StoredDelivery(
                new Delivery(
                        row.getLong(1),
                        EntryColumns.text(row, 2),
                        key,
                        row.getLong(5),
                        row.getLong(6),
                        row.getInt(7),
                        nextAt,
                        EntryColumns.textOrNull(row, 9)),
                parked,
                EntryColumns.soundValue(key, row.getLong(5), row, 10));
    }

    private <T> List<T> page(
            String sql,
            UnaryOperator<SqliteStatement> binding,
            SqliteStatement.RowReader<T> reader,
            ToLongFunction<T> size) {
        return engine.read(session -> {
            List<T> rows = new ArrayList<>();
            long[] bytes = {0};
            boolean unused = binding.apply(session.bind(sql)).until(row -> {
                T read = reader.read(row);
                rows.add(read);
                bytes[0] += size.applyAsLong(read);
                return bytes[0] >= PAGE_BYTES;
            });
            return rows;
        });
    }

    @Override
    public @Nullable String unfinished() {
        return !engine.read(FileFormat::isUnfinishedCopy)
                ? null
                : engine.<@Nullable String>read(
                        session -> session.bind(MARKED).first(row -> EntryColumns.text(row, 1)));
    }

    @Override
    public void begin(String source) {
        new AgeIndex(engine).run(Set.of()); // an index of an earlier use is not maintained
        write(session -> {
            session.pragma("application_id = " + FileFormat.UNFINISHED_COPY_ID);
            session.execute(CREATE_MARK);
            session.execute("DELETE FROM copy");
            session.bind(MARK).text(source).update();
            session.execute("DELETE FROM retained");
            session.execute("DELETE FROM subscriber");
            session.execute("DELETE FROM delivery");
        });
    }

    private void write(Consumer<SqliteSession> work) {
        engine.change(transaction -> work.accept(transaction.forManyRows()));
        engine.settle();
    }

    @Override
    public void write(CopyPage page) {
        if (!page.entries().isEmpty()) {
            engine.change(transaction -> transaction.store(page.entries()));
            engine.settle();
            return;
        }
        write(session -> {
            SqliteExpiry.retain(session, page.retained());
            page.subscribers().forEach(new SqliteDeliveryTable(session)::add);
            for (StoredDelivery stored : page.deliveries()) {
                Delivery delivery = stored.delivery();
                SqliteStatement insert = session.bind(DELIVER)
                        .text(delivery.subscriber())
                        .name(delivery.key())
                        .number(delivery.version())
                        .number(delivery.expiresAt())
                        .number(delivery.attempts());
                (stored.parked() ? insert.number(Layouts.PARKED) : insert.time(delivery.nextAt()))
                        .text(delivery.error())
                        .value(delivery.key(), delivery.version(), stored.value())
                        .update();
            }
        });
    }

    @Override
    public void finish(HighWater reached) {
        engine.owner().continueAfter(reached);
        write(session -> {
            session.execute("DROP TABLE copy");
            session.pragma("application_id = " + FileFormat.APPLICATION_ID);
        });
    }

    @Override
    public void close() {
        engine.close();
    }
}
