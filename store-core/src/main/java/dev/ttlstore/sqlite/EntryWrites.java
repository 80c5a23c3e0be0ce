package dev.ttlstore.sqlite;

import java.sql.SQLException;

import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;

import static java.util.Objects.requireNonNull;

/** The statements that write one entry. They touch no index whose columns stay as they are. */
final class EntryWrites {

    private static final String INSERT = """
            INSERT INTO entry (version, created_at, updated_at, value, checksum, grp, key, expires_at, due_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)
            """;

    private static final String INSERT_AGED = """
            INSERT INTO entry (version, created_at, updated_at, value, checksum, grp, key, expires_at, due_at, aged_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?2)
            """;

    private static final String UPDATE = """
            UPDATE entry
               SET version = ?, created_at = ?, updated_at = ?, value = ?, checksum = ?
             WHERE grp = ? AND key = ?
            """;

    private static final String UPDATE_WITH_EXPIRY = """
            UPDATE entry
               SET version = ?1, created_at = ?2, updated_at = ?3, value = ?4, checksum = ?5, expires_at = ?8, due_at = ?8
             WHERE grp = ?6 AND key = ?7
            """;

    private static final String RESCHEDULE = """
            UPDATE entry SET expires_at = ?3, due_at = ?3 WHERE grp = ?1 AND key = ?2
            """;

    /**
     * Changes a row that may keep its place in the expiry index. The statement does not set the column of the index,
     * so SQLite leaves the index unchanged.
     */
    private static final String UPDATE_UNMOVED = """
            UPDATE entry
               SET version = ?1, created_at = ?2, updated_at = ?3, value = ?4, checksum = ?5, expires_at = ?8
             WHERE grp = ?6 AND key = ?7 AND due_at BETWEEN ?9 AND ?8
            """;

    private static final String RESCHEDULE_UNMOVED = """
            UPDATE entry SET expires_at = ?3 WHERE grp = ?1 AND key = ?2 AND due_at BETWEEN ?4 AND ?3
            """;

    private static final String REMOVE = "DELETE FROM entry WHERE grp = ? AND key = ?";

    private final SqliteSession session;

    EntryWrites(SqliteSession session) {
        this.session = session;
    }

    /**
     * Stores a change.
     *
     * @return whether the row is a new one in the age index
     */
    boolean store(RowChange change) throws SQLException {
        Row before = change.before();
        Row after = change.after();
        if (before == null) {
            return insert(requireNonNull(after));
        } else if (after == null) {
            session.bind(REMOVE).name(before.key()).update();
        } else if (change.isRenewal()) {
            reschedule(before, after);
        } else {
            update(before, after);
            if (before.createdAt() != after.createdAt()
                    && session.ages().has(after.key().group())) {
                session.ages().move(after.key());
            }
        }
        return false;
    }

    private boolean insert(Row row) throws SQLException {
        boolean aged = session.ages().has(row.key().group());
        write(aged ? INSERT_AGED : INSERT, row);
        return aged;
    }

    /** Updates a row. Leaves out an unchanged expiry, so that its index is not touched. */
    private void update(Row before, Row after) throws SQLException {
        if (before.expiresAt() == after.expiresAt()) {
            bind(UPDATE, after).update();
        } else if (!isRenewal(before, after) || !updateUnmoved(after)) {
            write(UPDATE_WITH_EXPIRY, after);
        }
    }

    /**
     * Tests whether a row may keep its place in the expiry index. The statement checks that it does not lag too far
     * behind.
     */
    private static boolean isRenewal(Row before, Row after) {
        return after.expiresAt() > before.expiresAt() && after.expiresAt() != Row.NEVER;
    }

    private boolean updateUnmoved(Row row) throws SQLException {
        return bind(UPDATE_UNMOVED, row)
                        .number(row.expiresAt())
                        .number(Layouts.firstDue(row.expiresAt()))
                        .update()
                > 0;
    }

    private void write(String sql, Row row) throws SQLException {
        bind(sql, row).time(row.expiresAt()).update();
    }

    private BoundStatement bind(String sql, Row row) throws SQLException {
        return session.bind(sql).row(row, session.reads().checksum());
    }

    private void reschedule(Row before, Row after) throws SQLException {
        if (!isRenewal(before, after) || !rescheduleUnmoved(after)) {
            session.bind(RESCHEDULE).name(after.key()).time(after.expiresAt()).update();
        }
    }

    private boolean rescheduleUnmoved(Row row) throws SQLException {
        return session.bind(RESCHEDULE_UNMOVED)
                        .name(row.key())
                        .number(row.expiresAt())
                        .number(Layouts.firstDue(row.expiresAt()))
                        .update()
                > 0;
    }
}
