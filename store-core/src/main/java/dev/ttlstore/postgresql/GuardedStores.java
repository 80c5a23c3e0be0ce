package dev.ttlstore.postgresql;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.postgresql.Script.Reader;
import dev.ttlstore.postgresql.SlotColumns.Column;

import static java.util.Objects.requireNonNull;

/**
 * Statements that store one changed row, or put several, and log the commit, unless something has changed since the commit was decided.
 * Then they do nothing. Each follows the lock of its slot.
 */
final class GuardedStores {

    /** How far the server's clock may be from the time by which a commit was decided, because ttls count from that. */
    private static final long MAX_DRIFT_MILLIS = 200;

    /**
     * The head of the slot, the time of the commit, and what must hold of both: the numbers of the head are used up, the commit is of
     * this time, the server is the one that this node knows, and what it stores expires no earlier than the head, or it would come before the mark of a purge and never be found.
     */
    static final String HEAD =
            """
            WITH h AS (
                SELECT l.now, l.batch
                  FROM (SELECT n.seq + n.n AS next, %1$s AS at, greatest(%1$s, {now}) AS now, n.batch
                          FROM @log n
                         WHERE n.slot = ? AND %4$s
                         ORDER BY n.seq DESC
                         LIMIT 1) l
                 WHERE l.next <= ? AND abs(l.now - ?) <= %2$d AND l.at <= ? AND {server} = ? AND %3$s
            """.formatted(Times.AT.formatted("n"), MAX_DRIFT_MILLIS, Timeouts.IS_ONE, LogRow.OF_A_STORE.formatted("n"));

    /** The namespace is not counted. */
    static final String UNCOUNTED =
            " AND NOT EXISTS (SELECT 1 FROM @usage u WHERE u.slot = ? AND u.namespace = ?::text AND u.grp = '')";

    private static final String LOG = """
            )
            INSERT INTO @log (slot, seq, n, at, batch, due, deliveries, changes)
            SELECT ?, ?, 1, h.now, ?, ?, false, %s FROM h, p
            RETURNING (SELECT h.batch FROM h), %s
            """;

    private static final String DONE = LOG.formatted("?", "0");

    private static final String INSERT = """
            INSERT INTO @entry (slot, grp, key, version, created_at, updated_at, expires_at, due_at, value)
            SELECT ?, ?, ?, ?, ?, ?, ?, ?, ? FROM h
                ON CONFLICT (slot, grp, key)
            """;

    private static final String PUT_NEW = INSERT + "DO NOTHING RETURNING 0" + DONE;

    /**
     * Replaces a row that has not expired. What the statement reads is of the moment before it, so it finds a row only where it has
     * replaced one. The time of another node may be ahead of this node's.
     */
    private static final String REPLACE = """
            DO UPDATE
               SET version = excluded.version, updated_at = %s, expires_at = excluded.expires_at,
                   value = excluded.value, due_at = %s
             WHERE coalesce(entry.expires_at, %d) > (SELECT h.now FROM h)
            RETURNING (SELECT count(*) FROM @entry o WHERE o.slot = entry.slot AND o.grp = entry.grp AND o.key = entry.key)::int
                   AS replaced
            """.formatted(
                    Times.UPDATED_AT.formatted("excluded.updated_at", "entry", "(SELECT h.now FROM h)"),
                    ExpiryIndex.DUE_AT.formatted("excluded.expires_at", "entry.due_at"),
                    Row.NEVER);

    /** The kind of the only change tells other nodes which it was. */
    private static final String OVERWRITE = INSERT
            + REPLACE
            + LOG.formatted(
                    "set_byte(?, %d, p.replaced)".formatted(ChangeCodec.FIRST_KIND),
                    "get_byte(changes, %d)".formatted(ChangeCodec.FIRST_KIND));

    /**
     * Puts rows of one group. If one of them is in the place of a row that has expired, the statement fails with a text that is no
     * number, and the transaction with it. The kinds of the changes follow them, in the order of the versions.
     */
    private static final String OVERWRITE_ALL = """
            INSERT INTO @entry (slot, grp, key, version, created_at, updated_at, expires_at, due_at, value)
            SELECT ?, ?, r.key, r.version, ?, ?, r.expires_at, r.expires_at, r.value
              FROM h, unnest(?::text[], ?::bigint[], ?::bigint[], ?::bytea[]) r (key, version, expires_at, value)
                ON CONFLICT (slot, grp, key)
            """ + REPLACE + """
            , entry.version
            ), k AS (
                SELECT string_agg(set_byte('\\x00'::bytea, 0, p.replaced), ''::bytea ORDER BY p.version) AS kinds, count(*) AS n FROM p
            )
            INSERT INTO @log (slot, seq, n, at, batch, due, deliveries, changes)
            SELECT ?, ?, CASE WHEN k.n = ? THEN 1 ELSE ('rows of TTL Store that have not expired: ' || k.n::text)::int END, h.now, ?, ?, false,
                   ?::bytea || k.kinds
              FROM h, k
            RETURNING (SELECT h.batch FROM h), (SELECT k.kinds FROM k)
            """;

    /** The row is the one that was read, and has not expired. */
    private static final String SAME = """
             FROM h
            WHERE e.slot = ? AND e.grp = ?::text AND e.key = ?::text AND e.version = ? AND %s = ? AND ? > h.now
            """.formatted(SlotColumns.EXPIRY);

    private static final String DUE_AT = ExpiryIndex.DUE_AT.formatted("?", "e.due_at");

    private static final String PUT =
            "UPDATE @entry e SET version = ?, created_at = ?, updated_at = ?, value = ?, expires_at = ?, due_at = "
                    + DUE_AT + SAME + "RETURNING 0" + DONE;

    private static final String RENEW =
            "UPDATE @entry e SET expires_at = ?, due_at = " + DUE_AT + SAME + "RETURNING 0" + DONE;

    private static final String DELETE =
            "DELETE FROM @entry e" + SAME.replaceFirst("FROM", "USING") + "RETURNING 0" + DONE;

    /** The texts of the statements, by what they store. */
    private static final Map<String, String> PLAIN = texts(HEAD);

    private static final Map<String, String> IN_NAMESPACE = texts(HEAD + UNCOUNTED);

    private static Map<String, String> texts(String head) {
        return Stream.of(PUT_NEW, OVERWRITE, OVERWRITE_ALL, PUT, RENEW, DELETE)
                .collect(Collectors.toUnmodifiableMap(store -> store, store -> head + "), p AS (\n" + store));
    }

    private final Script script;
    private final Guard guard;
    private final LogRow log;
    private final Reader done;

    /**
     * What must hold.
     *
     * @param number the first number of the commit
     * @param time the time by which it was decided
     * @param server when the server has started that may store it
     * @param namespace the namespace of its group; null if it has none
     */
    record Guard(
            long number, long time, long server, @Nullable String namespace) {}

    /**
     * Starts.
     *
     * @param script takes the statement
     * @param guard what must hold
     * @param log the commit in the log
     * @param done gets, if the statement was not refused, the batch of the head before, and the number of the kind of the first
     *     change; the numbers of all kinds if several rows were put
     */
    GuardedStores(Script script, Guard guard, LogRow log, Reader done) {
        this.script = script;
        this.guard = guard;
        this.log = log;
        this.done = done;
    }

    /** Adds what puts a row, whatever there is, unless that has expired. */
    void overwrite(Row row) {
        insert(OVERWRITE, row);
    }

    /** Adds what puts rows of one group, whatever there is, unless one has expired. They have the same times, and are in the order of their versions. */
    void overwrite(List<Row> rows) {
        Column keys = Column.texts();
        Column versions = Column.numbers();
        Column expiries = Column.numbers();
        Column values = Column.bytes();
        long earliest = Row.NEVER;
        for (Row row : rows) {
            keys.add(row.key().key());
            versions.add(row.version());
            expiries.add(SlotColumns.time(row.expiresAt()));
            values.add(row.value());
            earliest = Math.min(earliest, row.expiresAt());
        }
        Row any = rows.get(0);
        Object[] stored = {
            log.slot(), any.key().group(), any.createdAt(), any.updatedAt(), keys, versions, expiries, values
        };
        Object[] logged = {
            log.slot(),
            log.seq(),
            rows.size(),
            log.batch(),
            Script.orNull(SlotColumns.time(log.due())),
            Script.orNull(log.changes())
        };
        query(OVERWRITE_ALL, earliest, concat(stored, logged));
    }

    /** Adds what stores a change. */
    void store(RowChange change) {
        Row before = change.before();
        Row after = change.after();
        if (before == null) {
            insert(PUT_NEW, requireNonNull(after));
        } else if (after == null) {
            add(DELETE, before, Row.NEVER, new Object[0]);
        } else {
            Object expiry = Script.orNull(SlotColumns.time(after.expiresAt()));
            if (change.isRenewal()) {
                add(RENEW, before, after.expiresAt(), expiry, expiry, expiry, expiry);
            } else {
                add(
                        PUT,
                        before,
                        after.expiresAt(),
                        after.version(),
                        after.createdAt(),
                        after.updatedAt(),
                        after.value(),
                        expiry,
                        expiry,
                        expiry,
                        expiry);
            }
        }
    }

    private void insert(String template, Row row) {
        Object expiry = Script.orNull(SlotColumns.time(row.expiresAt()));
        add(
                template,
                row.expiresAt(),
                log.slot(),
                row.key().group(),
                row.key().key(),
                row.version(),
                row.createdAt(),
                row.updatedAt(),
                expiry,
                expiry,
                row.value());
    }

    private void add(String template, Row before, long expiresAt, Object... changes) {
        RowKey key = before.key();
        Object[] same = {log.slot(), key.group(), key.key(), before.version(), before.expiresAt(), before.expiresAt()};
        add(template, expiresAt, concat(changes, same));
    }

    private void add(String template, long expiresAt, Object... parameters) {
        Object[] logged = {
            log.slot(), log.seq(), log.batch(), Script.orNull(SlotColumns.time(log.due())), Script.orNull(log.changes())
        };
        query(template, expiresAt, concat(parameters, logged));
    }

    /** Adds a statement with its parameters behind those of the head. */
    private void query(String template, long expiresAt, Object[] parameters) {
        String namespace = guard.namespace();
        Object[] head = {log.slot(), guard.number(), guard.time(), expiresAt, guard.server()};
        Object[] uncounted = namespace == null ? new Object[0] : new Object[] {log.slot(), namespace};
        String text = requireNonNull((namespace == null ? PLAIN : IN_NAMESPACE).get(template));
        Script unused = script.query(text, done, concat(concat(head, uncounted), parameters));
    }

    private static Object[] concat(Object[] first, Object[] second) {
        Object[] all = new Object[first.length + second.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}
