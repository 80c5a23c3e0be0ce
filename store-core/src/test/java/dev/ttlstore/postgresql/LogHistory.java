package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.ttlstore.engine.Change;

/** Reads what the log of a schema says of all changes, part by part. Not thread-safe. */
public final class LogHistory {

    private final String schema;
    private final Map<Integer, Long> places = new HashMap<>();

    /** Reads from the beginning of the log on. */
    public LogHistory(String schema) {
        this.schema = schema;
    }

    /** Returns the changes since the last call, in the order of each slot. */
    public List<Change> next(Connection connection) throws SQLException {
        List<Change> changes = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement("SELECT l.slot, l.seq, l.changes FROM \"" + schema
                + "\".log l JOIN unnest(?::int[], ?::bigint[]) s (slot, seq) ON l.slot = s.slot AND l.seq > s.seq"
                + " ORDER BY l.slot, l.seq")) {
            List<Integer> slots = new ArrayList<>();
            List<Long> seqs = new ArrayList<>();
            slots(connection).forEach(slot -> {
                slots.add(slot);
                seqs.add(places.getOrDefault(slot, 0L));
            });
            query.setArray(1, connection.createArrayOf("int4", slots.toArray()));
            query.setArray(2, connection.createArrayOf("int8", seqs.toArray()));
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    places.put(rows.getInt(1), rows.getLong(2));
                    byte[] bytes = rows.getBytes(3);
                    if (bytes != null) {
                        changes.addAll(decoded(bytes));
                    }
                }
            }
        }
        return changes;
    }

    private static List<Change> decoded(byte[] bytes) {
        List<Change> changes = ChangeCodec.decode(bytes);
        if (changes == null) {
            throw new AssertionError("A row of the log cannot be decoded");
        }
        return changes;
    }

    private List<Integer> slots(Connection connection) throws SQLException {
        List<Integer> slots = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement("SELECT slot FROM \"" + schema + "\".slot");
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                slots.add(rows.getInt(1));
            }
        }
        return slots;
    }
}
