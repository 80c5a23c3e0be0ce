package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.postgresql.Script.Reader;

import static java.util.Objects.requireNonNull;

/**
 * Statements that change a live row that nobody has read, log the commit, and return the row. If the row is not as expected, they
 * change nothing, and return what there is. Each follows the lock of its slot.
 */
final class ExpectingStores {

    /** Taken values up to this size are logged, so that they are not lost with the answer. Larger ones are read before. */
    static final int MAX_LOGGED_BYTES = 1_024;

    /** The row has not expired by the server's time, nor by that of the commit. */
    private static final String LIVE =
            " h WHERE e.slot = ? AND e.grp = ?::text AND e.key = ?::text AND %s > greatest(h.now, ?)"
                    .formatted(SlotColumns.EXPIRY);

    private static final String DUE_AT = Lag.DUE_AT.formatted("?", "e.due_at");

    /** An earlier expiry is told to other nodes, which takes more than a renewal. */
    private static final String NOT_SHORTENED = " AND %s <= ?".formatted(SlotColumns.EXPIRY);

    private static final String RETURNING =
            "\nRETURNING e.version, e.created_at, e.updated_at, %s AS expires_at, %%s AS value"
                    .formatted(SlotColumns.EXPIRY);

    private static final String END = """
            ), l AS (
                INSERT INTO @log (slot, seq, n, at, batch, due, deliveries, changes)
                SELECT ?, ?, 1, h.now, ?, ?, false, %%s FROM h, p
            )
            SELECT h.batch, h.now, true, p.version, p.created_at, p.updated_at, p.expires_at, p.value FROM h, p
             UNION ALL
            SELECT h.batch, h.now, false, e.version, e.created_at, e.updated_at, %s, e.value
              FROM h
              LEFT JOIN @entry e ON e.slot = ? AND e.grp = ?::text AND e.key = ?::text
             WHERE NOT EXISTS (SELECT 1 FROM p)
            """.formatted(SlotColumns.EXPIRY);

    /** The value as text, without an error whatever it is. */
    private static final String DIGITS = "encode(e.value, 'escape')";

    private static final String NUMBER =
            " AND octet_length(e.value) <= %d AND %s ~ '^(-|)[0-9]+$'".formatted(Expected.MOST_DIGITS, DIGITS);

    /** What a statement does to the row. */
    private enum Kind {
        DELETE("DELETE FROM @entry e USING", "", "overlay(? PLACING int8send(p.version) FROM ?)"),
        RENEW(
                "UPDATE @entry e SET updated_at = " + Times.UPDATED_AT.formatted("e.updated_at", "e", "h.now")
                        + ", expires_at = ?, due_at = " + DUE_AT + " FROM",
                NOT_SHORTENED,
                "?"),
        PUT(
                "UPDATE @entry e SET version = ?, updated_at = " + Times.UPDATED_AT.formatted("?", "e", "h.now")
                        + ", value = ?, expires_at = ?, due_at = " + DUE_AT + " FROM",
                "",
                "?"),
        ADD(
                "UPDATE @entry e SET version = ?, updated_at = greatest(?, e.updated_at), value = ((" + DIGITS
                        + "::bigint + ?)::text)::bytea FROM",
                NUMBER,
                "overlay(? PLACING int8send(p.expires_at) FROM ?) || p.value");

        private final String start;
        private final String condition;

        /** What is logged of the change. The server adds what the node does not know. */
        private final String logged;

        Kind(String start, String condition, String logged) {
            this.start = start;
            this.condition = condition;
            this.logged = logged;
        }

        private static Kind of(RowChange change, Expected expected) {
            Row after = change.after();
            if (after == null) {
                return DELETE;
            }
            return change.isRenewal() ? RENEW : expected.added() == null ? PUT : ADD;
        }
    }

    /** By what the texts of two statements differ. */
    private record Shape(
            Kind kind, boolean inNamespace, boolean version, boolean value, Expected.@Nullable Form answered) {

        private String text() {
            StringBuilder text = new StringBuilder(GuardedStores.HEAD);
            if (inNamespace) {
                text.append(GuardedStores.UNCOUNTED);
            }
            text.append("), p AS (\n").append(kind.start).append(LIVE).append(kind.condition);
            if (version) {
                text.append(" AND e.version = ?");
            }
            if (value) {
                text.append(" AND e.value = ?");
            }
            boolean logsValue = kind == Kind.DELETE && answered != null;
            if (logsValue) {
                text.append(" AND octet_length(e.value) <= ").append(MAX_LOGGED_BYTES);
            }
            if (answered == Expected.Form.TEXT) {
                text.append(" AND length(e.value, 'UTF8'::name) >= 0"); // an error if it is none
            }
            text.append(RETURNING.formatted(answered == null && kind != Kind.ADD ? "NULL::bytea" : "e.value"));
            return text.append(END.formatted(logsValue ? kind.logged + " || p.value" : kind.logged))
                    .toString();
        }
    }

    private static final Map<Shape, String> TEXTS = new ConcurrentHashMap<>();

    private final Script script;
    private final GuardedStores.Guard guard;
    private final LogRow log;
    private final Expected expected;

    /**
     * Starts.
     *
     * @param script takes the statement
     * @param guard what must hold besides
     * @param log the commit in the log
     * @param expected what is expected of the row
     */
    ExpectingStores(Script script, GuardedStores.Guard guard, LogRow log, Expected expected) {
        this.script = script;
        this.guard = guard;
        this.log = log;
        this.expected = expected;
    }

    /**
     * Adds the statement.
     *
     * @param key the name of the row
     * @param change the change of the row that stands in for it
     * @param found gets, if the statement was not refused: the batch of the head before, the time, whether the row was changed, and
     *     its version, creation, update, expiry, and value. Without a row, these are null. The value of a changed row is null unless
     *     the commit answers with it, and the sum if the commit adds to it
     */
    void add(RowKey key, RowChange change, Reader found) {
        Kind kind = Kind.of(change, expected);
        Row after = change.after();
        String namespace = guard.namespace();
        List<Object> values = new ArrayList<>(32);
        long expiresAt = after == null ? Row.NEVER : after.expiresAt();
        values.addAll(List.of(log.slot(), guard.number(), guard.time(), expiresAt, guard.server()));
        if (namespace != null) {
            values.addAll(List.of(log.slot(), namespace));
        }
        if (kind == Kind.PUT && after != null) {
            values.addAll(List.of(after.version(), after.updatedAt(), after.value()));
        }
        if (kind == Kind.ADD && after != null) {
            values.addAll(List.of(after.version(), after.updatedAt(), requireNonNull(expected.added())));
        } else if (after != null) {
            Object expiry = Script.orNull(SlotColumns.time(expiresAt));
            values.addAll(List.of(expiry, expiry, expiry, expiry));
        }
        values.addAll(List.of(log.slot(), key.group(), key.key(), guard.time()));
        if (kind == Kind.RENEW) {
            values.add(expiresAt);
        }
        if (expected.version() != null) {
            values.add(expected.version());
        }
        if (expected.value() != null) {
            values.add(expected.value());
        }
        values.addAll(List.of(
                log.slot(),
                log.seq(),
                log.batch(),
                Script.orNull(SlotColumns.time(log.due())),
                Script.orNull(log.changes())));
        byte[] changes = log.changes();
        if (changes != null && kind == Kind.DELETE) {
            values.add(ChangeCodec.placeOfOnlyVersion(changes.length) + 1); // SQL counts from one
        } else if (changes != null && kind == Kind.ADD) {
            values.add(ChangeCodec.placeOfOnlyExpiry(changes.length) + 1);
        }
        values.addAll(List.of(log.slot(), key.group(), key.key()));
        Shape shape = new Shape(
                kind, namespace != null, expected.version() != null, expected.value() != null, expected.answered());
        Script unused = script.query(TEXTS.computeIfAbsent(shape, Shape::text), found, values.toArray());
    }
}
