package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.exception.QuotaExceededException.Amounts;
import dev.ttlstore.postgresql.RowColumns.Column;
import dev.ttlstore.postgresql.RowColumns.Columns;

import static dev.ttlstore.postgresql.RowColumns.Type.BYTES;
import static dev.ttlstore.postgresql.RowColumns.Type.INTEGER;
import static dev.ttlstore.postgresql.RowColumns.Type.NUMBER;
import static dev.ttlstore.postgresql.RowColumns.Type.TEXT;
import static java.util.Objects.requireNonNull;

/** A batch of requests as the server's function takes it: the rows that it names, and the operations on them. Used by one thread. */
final class ServerBatch {

    /** The most bytes of values that go to the server in one call: it needs several times as much memory for them. */
    private static final long MOST_BYTES = 1024 * 1024;

    /** What the log keeps about a row for the answer, beside its value. */
    private static final int RECEIPT_BYTES = 64;

    /** The most bytes of values that the log keeps about the rows of a call: readers take no row of the log above a mebibyte. */
    private static final long MOST_KEPT = 512 * 1024;

    /** The most bytes of a value that the log keeps, as the functions have it. */
    private static final int MOST_OF_A_VALUE = 4096;

    private final Slots slots;
    private final Batch.Requests batch;

    private final Map<RowKey, ServerRow> rows = new HashMap<>();

    /** The names of the rows, in the order of their places. */
    private final List<RowKey> keys;

    private final SortedSet<Integer> touched;

    /** The places of the slots, from one. */
    private final SortedMap<Integer, Integer> places = new TreeMap<>();

    private final Column opRows = new Column(INTEGER);
    private final Column opCodes = new Column(INTEGER);
    private final Column opValues = new Column(BYTES);
    private final Column opExpected = new Column(BYTES);
    private final Column opNumbers = new Column(NUMBER);

    /**
     * Takes a batch.
     *
     * @param slots the slots
     * @param batch the batch; {@link #whyNot} must have found nothing against it
     */
    ServerBatch(Slots slots, Batch.Requests batch) {
        this.slots = slots;
        this.batch = batch;
        this.keys = List.copyOf(batch.keys());
        SortedSet<Integer> named = new TreeSet<>();
        for (RowKey key : keys) {
            int slot = slots.of(key.group());
            named.add(slot);
            rows.put(key, new ServerRow(rows.size() + 1, slot));
        }
        named.forEach(slot -> places.put(slot, places.size() + 1));
        this.touched = Collections.unmodifiableSortedSet(named);
        batch.requests().forEach(this::add);
    }

    /**
     * Says why a batch is not for the server, as far as that can be seen of it; null if it is.
     *
     * @param most how many operations the server decides in the time that locks take longer
     */
    static @Nullable FallbackReason whyNot(Batch.Requests batch, long most) {
        long bytes = 0;
        long logged = 0;
        long kept = 0;
        long operations = 0;
        long checks = 0;
        for (Request request : batch.requests()) {
            if (!ServerOperations.knowsChecks(request)) {
                return FallbackReason.CODE;
            }
            for (Request.Check check : request.checks()) {
                kept += comparesValue(check.condition()) ? MOST_OF_A_VALUE : 0;
                logged += RECEIPT_BYTES;
                checks++;
            }
            for (Operation operation : request.operations()) {
                FallbackReason reason =
                        ServerOperations.whyNot(operation, request.operations().size() == 1);
                if (reason != null) {
                    return reason;
                }
                logged += RECEIPT_BYTES
                        + ChangeCodec.mostBytes(
                                operation.key().group(), operation.key().key());
                kept += operation.returning() || comparesValue(operation.condition()) ? MOST_OF_A_VALUE : 0;
                operations++;
            }
            bytes += request.bytes();
        }
        if (operations == 0 || bytes > MOST_BYTES || logged > ChangeCodec.MOST_BYTES || kept > MOST_KEPT) {
            return FallbackReason.SIZE;
        }
        return operations + checks > Math.max(1, most) ? FallbackReason.NEARBY : null;
    }

    /** Tests whether a condition needs the value of a row, which the log then keeps beside changes. */
    private static boolean comparesValue(Condition condition) {
        return condition.kind() == Condition.Kind.VALUE || condition.kind() == Condition.Kind.TEXT;
    }

    /** Tests whether a batch names only one row, by one operation. */
    static boolean isSingle(Batch.Requests batch) {
        if (batch.requests().size() != 1) {
            return false;
        }
        Request request = batch.requests().get(0);
        return request.operations().size() + request.checks().size() == 1;
    }

    private void add(Request request) {
        int first = ServerOperations.FIRST_OF_REQUEST;
        for (Request.Check check : request.checks()) {
            ServerRow row = row(check.key());
            row.uses(check.condition(), false);
            row.keeps = true;
            add(row, first | ServerOperations.ofCheck(check.condition()), check.condition(), Effect.NOTHING);
            first = 0;
        }
        for (Operation operation : request.operations()) {
            add(operation, first);
            first = 0;
        }
    }

    private void add(Operation operation, int first) {
        Effect effect = operation.effect();
        ServerRow row = row(operation.key());
        boolean changes = effect.kind() != Effect.Kind.NOTHING;
        boolean answers = operation.returning() || effect.kind() == Effect.Kind.ADD;
        row.uses(operation.condition(), changes);
        row.answers |= answers;
        row.keeps |= !ServerOperations.isToldByTheLog(operation);
        row.keepsValue |= answers && changes && effect.kind() != Effect.Kind.RESCHEDULE;
        row.logsRenewal |= !ServerOperations.isRepeatable(operation);
        add(row, first | ServerOperations.of(operation), operation.condition(), effect);
    }

    private void add(ServerRow row, int code, Condition condition, Effect effect) {
        ExpiryRule rule = effect.expiry() == null ? ExpiryRule.NEVER : effect.expiry();
        opRows.add(row.place);
        opCodes.add(code);
        opValues.add(effect.value());
        opExpected.add(condition.value());
        opNumbers.add(condition.number());
        opNumbers.add(rule.millis());
        opNumbers.add(rule.otherwise());
        opNumbers.add(effect.delta());
    }

    private ServerRow row(RowKey key) {
        return requireNonNull(rows.get(key));
    }

    Batch.Requests requests() {
        return batch;
    }

    /** Returns the slots, in ascending order. */
    SortedSet<Integer> slots() {
        return touched;
    }

    /** Returns the names of the rows, in the order of their places. */
    List<RowKey> keys() {
        return keys;
    }

    /** Returns how many bytes of values go to the server. */
    long bytes() {
        return batch.requests().stream().mapToLong(Request::bytes).sum();
    }

    /**
     * Returns a row as this node has to take it if the function has not returned its value. That is so if the value is only compared. Then the
     * result of the comparison follows from whether the row was changed.
     */
    Row completed(RowKey key, Row found, boolean changed) {
        byte[] expected = row(key).expected();
        return expected == null || changed ? withValue(found, expected) : withValue(found, other(expected));
    }

    private static Row withValue(Row row, byte @Nullable [] value) {
        return value == null
                ? row
                : new Row(row.key(), value, row.version(), row.createdAt(), row.updatedAt(), row.expiresAt());
    }

    private static byte[] other(byte[] value) {
        return Arrays.copyOf(value, value.length + 1);
    }

    /** Tests whether the answer needs the value of a row. */
    boolean isValueNeeded(RowKey key) {
        return row(key).isReturned();
    }

    /**
     * Returns the parameters about the row and the operation, if there is {@linkplain #isSingle one}.
     *
     * @param place the number of this node's place in the log of the slot
     */
    List<@Nullable Object> single(Object place) {
        RowKey key = keys.get(0);
        String namespace = Namespaces.of(key.group());
        List<@Nullable Object> all = new ArrayList<>(20);
        all.addAll(List.of(places.firstKey(), place, key.group(), key.key(), Script.orNull(namespace, TEXT)));
        all.addAll(List.of(ChangeCodec.names(key), row(key).flags(), opCodes.at(0), opValues.at(0), opExpected.at(0)));
        for (int i = 0; i < opNumbers.size(); i++) {
            all.add(opNumbers.at(i));
        }
        Amounts quota = namespace == null ? null : batch.settings().quotas().of(namespace);
        all.addAll(
                quota == null
                        ? List.of(NUMBER, NUMBER, NUMBER)
                        : List.of(limit(quota.keys()), limit(quota.groups()), limit(quota.bytes())));
        return all;
    }

    /** Returns the parameters about rows, operations and, last, quotas. Empty namespaces stand for nothing but nulls. */
    List<Object> columns() {
        Column slot = new Column(INTEGER);
        Column groups = new Column(TEXT);
        Column keys = new Column(TEXT);
        Column namespaces = new Column(TEXT);
        Column names = new Column(BYTES);
        Column flags = new Column(INTEGER);
        boolean namespaced = false;
        for (RowKey key : this.keys) {
            ServerRow row = row(key);
            String namespace = Namespaces.of(key.group());
            namespaced |= namespace != null;
            slot.add(places.get(row.slot));
            groups.add(key.group());
            keys.add(key.key());
            namespaces.add(namespace);
            names.add(ChangeCodec.names(key));
            flags.add(row.flags());
        }
        return List.of(
                slot,
                groups,
                keys,
                namespaced ? namespaces : new Column(TEXT),
                names,
                flags,
                opRows,
                opCodes,
                opValues,
                opExpected,
                opNumbers,
                quotas());
    }

    private Columns quotas() {
        SortedSet<String> limited = new TreeSet<>(batch.settings().quotas().limited(rows.keySet()));
        Columns columns = new Columns(INTEGER, TEXT, NUMBER, NUMBER, NUMBER);
        for (String namespace : limited) {
            Amounts quota = batch.settings().quotas().of(namespace);
            columns.add(
                    slots.of(Namespaces.prefix(namespace)),
                    namespace,
                    limit(quota == null ? 0 : quota.keys()),
                    limit(quota == null ? 0 : quota.groups()),
                    limit(quota == null ? 0 : quota.bytes()));
        }
        return columns;
    }

    private static long limit(long amount) {
        return amount == 0 ? Long.MAX_VALUE : amount;
    }

    /** A row that the batch names, and what the server has to do with it. */
    private static final class ServerRow {

        // How the function has these flags.
        private static final int LOADS = 1;
        private static final int KEEPS = 2;
        private static final int KEEPS_VALUE = 4;
        private static final int LOGS_RENEWAL = 8;
        private static final int RETURNS = 16;

        final int place;
        final int slot;

        /** Whether an answer needs its value. */
        boolean answers;

        /** Whether the log keeps what was found, in case the answer is lost; only beside changes. */
        boolean keeps;

        /** Whether a value that is too large for the log must stay where it is. */
        boolean keepsValue;

        /** Whether a renewal is logged, too, because it must not be made twice. */
        boolean logsRenewal;

        private boolean compares;
        private int conditions;

        /** With what it is compared by the only operation, which changes it if that is its value. */
        private byte @Nullable [] expected;

        ServerRow(int place, int slot) {
            this.place = place;
            this.slot = slot;
        }

        void uses(Condition condition, boolean changes) {
            conditions++;
            compares |= comparesValue(condition);
            expected = conditions == 1 && changes ? condition.value() : null;
        }

        byte @Nullable [] expected() {
            return answers ? null : expected;
        }

        boolean isReturned() {
            return answers || (compares && expected == null);
        }

        int flags() {
            return (answers || compares ? LOADS : 0)
                    | (keeps ? KEEPS : 0)
                    | (keepsValue ? KEEPS_VALUE : 0)
                    | (logsRenewal ? LOGS_RENEWAL : 0)
                    | (isReturned() ? RETURNS : 0);
        }
    }
}
