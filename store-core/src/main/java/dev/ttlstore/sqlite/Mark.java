package dev.ttlstore.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.support.StoreState;
import dev.ttlstore.exception.StoreCorruptedException;

/**
 * The row that says how far a store has come, and up to which version values may have no checksum. It has a checksum of its own, because
 * with a lower sequence a store would use versions again. A sum with the last column is stored, so it covers that one as well, which no
 * commit changes.
 */
final class Mark {

    /** Its columns in the order in which {@link #sound} reads them, and as the fourth one up to which version values may have no checksum. */
    static final String READ = "SELECT sequence, time, checksum, unchecked_until FROM mark";

    private static final String SAVE = "UPDATE mark SET sequence = ?, time = ?, checksum = ? + unchecked_until";

    private static final String ALLOW_UNCHECKED = "UPDATE mark SET unchecked_until = sequence";

    private Mark() {}

    /** Reads it. */
    static StoreState read(SqliteSession session) {
        return session.call(() -> {
            StoreState state = session.bind(READ).<@Nullable StoreState>first(Mark::sound);
            if (state == null) {
                throw new StoreCorruptedException(
                        "The store " + session.location() + " is damaged: what it says of the versions that it has used"
                                + " is missing or was changed",
                        "Stop the application, and repair the file or restore a backup",
                        null);
            }
            return state;
        });
    }

    /** Reads it from a row of {@link #READ}; null if it is not what was saved. */
    static @Nullable StoreState sound(ResultSet row) throws SQLException {
        StoreState state = state(row);
        return row.getLong(3) == Checksum.of(state) + row.getLong(4) ? state : null;
    }

    private static StoreState state(ResultSet row) throws SQLException {
        return new StoreState(row.getLong(1), row.getLong(2));
    }

    /** Saves how far the store has come, in the transaction of the session. */
    static void save(SqliteSession session, StoreState state) {
        session.call(() -> session.bind(SAVE)
                .number(state.sequence())
                .number(state.time())
                .number(Checksum.of(state))
                .update());
    }

    /** Allows values without a checksum among those of the versions used so far, and gives the row of an earlier layout its own. */
    static void seal(SqliteSession session) {
        session.execute(ALLOW_UNCHECKED);
        save(session, session.call(() -> session.bind(READ).one(Mark::state)));
    }
}
