package dev.ttlstore.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.HighWater;
import dev.ttlstore.exception.StoreCorruptedException;

/** The row that says how far a store has come. It has a checksum, because with a lower sequence a store would use versions again. */
final class SequenceRow {

    /** Its columns in the order in which {@link #sound} reads them. */
    static final String READ = "SELECT sequence, time, checksum FROM mark";

    private static final String SAVE = "UPDATE mark SET sequence = ?, time = ?, checksum = ?";

    private SequenceRow() {}

    /** Reads it. */
    static HighWater read(SqliteSession session) {
        HighWater state = session.bind(READ).<@Nullable HighWater>first(SequenceRow::sound);
        if (state == null) {
            throw damaged(session);
        }
        return state;
    }

    /** Reads it from a row of {@link #READ}; null if it is not what was saved. */
    static @Nullable HighWater sound(ResultSet row) throws SQLException {
        HighWater state = state(row);
        return row.getLong(3) == RowChecksum.of(state) ? state : null;
    }

    private static HighWater state(ResultSet row) throws SQLException {
        return new HighWater(row.getLong(1), row.getLong(2));
    }

    /** Saves how far the store has come, in the transaction of the session. */
    static void save(SqliteSession session, HighWater state) {
        session.bind(SAVE)
                .number(state.sequence())
                .number(state.time())
                .number(RowChecksum.of(state))
                .update();
    }

    /**
     * Gives the row of an earlier layout its checksum.
     *
     * @param lastVersion the highest version in the file
     */
    static void seal(SqliteSession session, long lastVersion) {
        HighWater state = session.bind(READ).<@Nullable HighWater>first(SequenceRow::state);
        if (state == null || state.sequence() < lastVersion) {
            throw damaged(session);
        }
        save(session, state);
    }

    private static StoreCorruptedException damaged(SqliteSession session) {
        return new StoreCorruptedException(
                "The store " + session.errors().location()
                        + " is damaged: what it says of the versions that it has used is" + " missing or was changed",
                "Stop the application, and repair the file or restore a backup",
                null);
    }
}
