package dev.ttlstore.postgresql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;

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
import dev.ttlstore.exception.CopyTargetException;
import dev.ttlstore.exception.StoreInUseException;
import dev.ttlstore.postgresql.RowColumns.Column;
import dev.ttlstore.postgresql.RowColumns.Columns;

import static dev.ttlstore.postgresql.RowColumns.Type.BYTES;
import static dev.ttlstore.postgresql.RowColumns.Type.INTEGER;
import static dev.ttlstore.postgresql.RowColumns.Type.NUMBER;
import static dev.ttlstore.postgresql.RowColumns.Type.TEXT;

/**
 * A schema that is copied, or into which another store is copied. While it holds an unfinished copy, the table of layouts has a
 * row that no store opens, and a lease names the source and the copying process. A process that begins to copy takes over that
 * lease. The process before it fails at its next write, because every write checks the lease. Used by one thread.
 */
final class PostgreSqlCopy implements CopyTarget {

    private static final String COUNTS = """
            SELECT (SELECT count(*) FROM @entry), (SELECT count(*) FROM @retained),
                   (SELECT count(*) FROM @subscriber), (SELECT count(*) FROM @delivery)
            """;

    private static final int PAGE_ROWS = 500;

    private static final String ENTRIES =
            page("SELECT e.version, e.created_at, e.updated_at, " + RowColumns.EXPIRY + """
             AS expires_at, e.value, e.grp, e.key
              FROM @entry e
             WHERE e.slot = ? AND (e.grp, e.key) > (?::text, ?::text)
             ORDER BY e.grp, e.key
            """);

    private static final String RETAINED = page("""
            SELECT e.version, e.created_at, e.updated_at, e.expires_at, e.value, e.grp, e.key
              FROM @retained e
             WHERE e.slot = ? AND (e.expires_at, e.grp, e.key, e.version) > (?, ?::text, ?::text, ?)
             ORDER BY e.expires_at, e.grp, e.key, e.version
            """);

    private static final String DELIVERIES =
            page("SELECT " + SlotDeliveries.COLUMNS + """
            , d.subscriber, (d.next_at = %d) IS TRUE AS parked, d.value
              FROM @delivery d
             WHERE d.slot = ? AND d.id > ?
             ORDER BY d.id
            """.formatted(SlotDeliveries.PARKED));

    private static final String DELIVER =
            "INSERT INTO @delivery (slot, id, subscriber, grp, key, version, expires_at, attempts, next_at, error, value) %s";

    private static final String IS_USED = """
            SELECT EXISTS (SELECT 1 FROM @entry) OR EXISTS (SELECT 1 FROM @retained) OR EXISTS (SELECT 1 FROM @subscriber)
                OR EXISTS (SELECT 1 FROM @delivery)
            """;

    private static final String ROLE = "copy of ";

    private static final String UNFINISHED = "SELECT p.role FROM @lease p WHERE p.slot = 0 AND p.role LIKE 'copy of %'";

    private static final String OWN =
            "SELECT count(*) FROM @lease p WHERE p.slot = 0 AND p.role LIKE 'copy of %' AND p.node = ?";

    private static final String END_LEASE = "DELETE FROM @lease p WHERE p.slot = 0 AND p.role LIKE 'copy of %'";

    private static final String LEASE = "INSERT INTO @lease (slot, role, node, until) VALUES (0, ?, ?, 0)";

    private static final String MARK =
            "INSERT INTO @layout (version, slots) VALUES (?, ?) ON CONFLICT (version) DO NOTHING";

    private static final String UNMARK = "DELETE FROM @layout WHERE version = ?";

    private static final String CLEAR = "DELETE FROM @%1$s t WHERE t.slot = ANY (?)";

    /** Rows may have been due long before the purge of an earlier use had come to its mark. */
    private static final String PURGE_ALL =
            "UPDATE @lease p SET mark = NULL WHERE p.slot = ANY (?) AND p.role = 'purge'";

    private final PostgreSqlEngine engine;
    private final NodeContext node;
    private final Connections connections;
    private final UUID process = UUID.randomUUID();
    private final String place;

    PostgreSqlCopy(PostgreSqlEngine engine, String schema) {
        this.engine = engine;
        this.node = engine.node();
        this.connections = node.connections();
        try {
            this.place = "the schema \"" + schema + "\" of " + address();
        } catch (RuntimeException | Error e) {
            engine.close();
            throw e;
        }
    }

    private static String page(String query) {
        return PageQuery.CUT.formatted("r.*", query + " LIMIT " + PAGE_ROWS);
    }

    /** Returns the address of the database, without the parameters, which may have a password. */
    private String address() {
        try (Connections.Borrowed borrowed = connections.borrow()) {
            String url = String.valueOf(borrowed.connection().getMetaData().getURL());
            return url.replaceFirst("[?;].*", "").replaceFirst("//[^/@]*@", "//");
        } catch (SQLException e) {
            throw Errors.translate(e);
        }
    }

    @Override
    public String place() {
        return place;
    }

    @Override
    public Activity activity() {
        Map<Integer, Long> seqs = new TreeMap<>();
        long sequence = 0;
        long time = 0;
        for (LogHead head : engine.nodes().follower().heads()) {
            seqs.put(head.slot(), head.seq());
            sequence = Math.max(sequence, node.slots().number(head.slot(), head.seq() + head.taken()));
            time = Math.max(time, head.time());
        }
        return new Activity(engine.nodes().others(), seqs.toString(), new HighWater(sequence, time));
    }

    @Override
    public StoredCounts counts() {
        return connections.one(
                COUNTS, row -> new StoredCounts(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4)));
    }

    @Override
    public Map<RowKey, Row> find(Collection<RowKey> keys) {
        return engine.reads().get(keys, Reads.ALL);
    }

    /** Reads the next page, slot by slot. */
    @Override
    public CopyPage page(Kind kind, Place after) {
        boolean starts = after.equals(Place.START);
        if (kind == Kind.SUBSCRIBERS) {
            return CopyPage.ofSubscribers(starts ? SlotDeliveries.subscribers(connections) : List.of());
        }
        int first = starts
                ? 0
                : kind == Kind.DELIVERIES
                        ? node.slots().slot(after.version())
                        : node.slots().of(after.key().group());
        CopyPage page = page(kind, first, after);
        for (int slot = first + 1; slot < node.slots().count() && page.isEmpty(); slot++) {
            page = page(kind, slot, Place.START);
        }
        return page;
    }

    private CopyPage page(Kind kind, int slot, Place after) {
        return switch (kind) {
            case ENTRIES -> CopyPage.ofEntries(connections.list(ENTRIES, PostgreSqlCopy::row, slot, after.key()));
            case RETAINED ->
                CopyPage.ofRetained(connections.list(
                        RETAINED, PostgreSqlCopy::row, slot, after.time(), after.key(), after.version()));
            case DELIVERIES ->
                CopyPage.ofDeliveries(connections.list(DELIVERIES, PostgreSqlCopy::delivery, slot, after.version()));
            case SUBSCRIBERS -> throw new IllegalArgumentException("Subscribers are in no slot");
        };
    }

    private static Row row(ResultSet row) throws SQLException {
        return RowColumns.row(RowColumns.key(row, 6), row);
    }

    private static StoredDelivery delivery(ResultSet row) throws SQLException {
        return new StoredDelivery(SlotDeliveries.delivery(row.getString(9), row), row.getBoolean(10), row.getBytes(11));
    }

    @Override
    public @Nullable String unfinished() {
        return unfinished(connections);
    }

    private static @Nullable String unfinished(QueryRunner runner) {
        return runner.first(UNFINISHED, row -> row.getString(1).substring(ROLE.length()));
    }

    @Override
    public void begin(String source) {
        Column all = RowColumns.integers(node.slots().all());
        engine.writes().alone(commit -> {
            requireFree(commit.transaction(), source);
            Script unused = node.timeouts()
                    .unbound(commit.transaction().writes())
                    .add(END_LEASE)
                    .add(LEASE, ROLE + source, process)
                    .add(MARK, Schema.UNFINISHED_COPY, node.slots().count())
                    .add(CLEAR.formatted("retained"), all)
                    .add(CLEAR.formatted("subscriber"), all)
                    .add(CLEAR.formatted("delivery"), all);
        });
    }

    /** Checks under the locks that nobody has filled the schema since it was looked at. */
    private void requireFree(QueryRunner transaction, String source) {
        String unfinished = unfinished(transaction);
        if (unfinished == null
                ? transaction.<Boolean>one(IS_USED, row -> row.getBoolean(1))
                : !unfinished.equals(source)) {
            throw new CopyTargetException(place, "was filled by somebody else just now");
        }
    }

    private void write(Consumer<LockedCommit> work) {
        engine.writes().alone(commit -> {
            long own = commit.transaction().<Long>one(OWN, row -> row.getLong(1), process);
            if (own == 0) {
                throw new StoreInUseException(place, "another process has begun to copy into it");
            }
            work.accept(commit);
        });
    }

    @Override
    public void write(CopyPage page) {
        write(commit -> {
            if (!page.entries().isEmpty()) {
                commit.store(page.entries());
            }
            if (!page.retained().isEmpty()) {
                commit.retain(page.retained());
            }
            page.subscribers().forEach(new DeliveryStatements(commit.transaction())::add);
            if (!page.deliveries().isEmpty()) {
                deliver(commit.transaction(), page.deliveries());
            }
        });
    }

    private void deliver(LockedTransaction transaction, List<StoredDelivery> deliveries) {
        Columns columns = new Columns(INTEGER, NUMBER, TEXT, TEXT, TEXT, NUMBER, NUMBER, INTEGER, NUMBER, TEXT, BYTES);
        for (StoredDelivery stored : deliveries) {
            Delivery delivery = stored.delivery();
            int slot = node.slots().of(delivery.key().group());
            transaction.changed(slot);
            columns.add(
                    slot,
                    transaction.nextNumber(slot),
                    delivery.subscriber(),
                    delivery.key().group(),
                    delivery.key().key(),
                    delivery.version(),
                    delivery.expiresAt(),
                    delivery.attempts(),
                    stored.parked() ? (Long) SlotDeliveries.PARKED : RowColumns.time(delivery.nextAt()),
                    delivery.error(),
                    stored.value());
        }
        Script unused = transaction.writes().insert(DELIVER, columns);
    }

    @Override
    public void finish(HighWater reached) {
        write(commit -> {
            LockedTransaction transaction = commit.transaction();
            transaction.continueAfter(reached);
            Script unused = transaction
                    .writes()
                    .add(PURGE_ALL, RowColumns.integers(node.slots().all()))
                    .add(END_LEASE)
                    .add(UNMARK, Schema.UNFINISHED_COPY);
        });
    }

    @Override
    public void close() {
        engine.close();
    }
}
