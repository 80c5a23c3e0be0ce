package dev.ttlstore.sqlite;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.RowKey;

/** The index of entries by their creation, in one session. It has the entries of some groups only. */
final class AgeIndex {

    static final String GROUPS = "SELECT grp, complete FROM aged_group";

    private static final String MARK = "INSERT OR REPLACE INTO aged_group (grp, complete) VALUES (?, ?)";

    private static final String UNMARK = "DELETE FROM aged_group WHERE grp = ?";

    static final String STEP = """
            SELECT key, octet_length(value) FROM entry WHERE grp = ? AND key > ? ORDER BY key LIMIT ?
            """;

    static final String FILL = """
            UPDATE entry SET aged_at = created_at
             WHERE grp = ? AND key > ? AND key <= ? AND aged_at IS NOT created_at
            """;

    static final String CLEAR = """
            UPDATE entry SET aged_at = NULL WHERE grp = ? AND key > ? AND key <= ? AND aged_at IS NOT NULL
            """;

    private static final String MOVE = "UPDATE entry SET aged_at = created_at WHERE grp = ? AND key = ?";

    private static final int STEP_ROWS = 1_000;

    /** A step ends when its values have reached this many bytes, because a changed row is written as a whole. */
    private static final long STEP_BYTES = 1024 * 1024;

    private final SqliteSession session;

    /** The groups whose writes keep the index up to date. */
    private Set<String> groups = Set.of();

    AgeIndex(SqliteSession session) {
        this.session = session;
    }

    /** Sets the groups whose writes keep the index up to date from now on. */
    void maintain(Set<String> all) {
        groups = Set.copyOf(all);
    }

    /** Tests whether the entries of a group are to be in the index. */
    boolean has(String group) {
        return groups.contains(group);
    }

    /** Moves a row whose creation has changed to its place in the index. */
    void move(RowKey key) {
        session.bind(MOVE).name(key).update();
    }

    /** Returns the groups that have entries in the index, and whether all of their entries are in it. */
    Map<String, Boolean> known() {
        Map<String, Boolean> known = new HashMap<>();
        session.bind(GROUPS).each(row -> known.put(EntryColumns.text(row, 1), row.getBoolean(2)));
        return known;
    }

    /** Notes that a group may have entries in the index, and whether all of them are in it. */
    void mark(String group, boolean complete) {
        session.bind(MARK).text(group).number(complete ? 1 : 0).update();
    }

    /** Notes that a group has no entries in the index. */
    void unmark(String group) {
        session.bind(UNMARK).text(group).update();
    }

    /**
     * Changes the next rows of a group.
     *
     * @param change {@link #FILL} or {@link #CLEAR}
     * @param after the last key of the step before; empty at first
     * @return the last key of this step; null if there are no more rows
     */
    @Nullable
    String step(String change, String group, String after) {
        Step step = new Step();
        boolean cut = session.bind(STEP)
                .text(group)
                .text(after)
                .number(STEP_ROWS)
                .until(row -> step.add(EntryColumns.text(row, 1), row.getLong(2)));
        if (step.last == null) {
            return null;
        }
        session.bind(change).text(group).text(after).text(step.last).update();
        return cut || step.rows == STEP_ROWS ? step.last : null;
    }

    private static final class Step {
        private @Nullable String last;
        private int rows;
        private long bytes;

        private boolean add(String key, long size) {
            last = key;
            rows++;
            bytes += size;
            return bytes >= STEP_BYTES;
        }
    }
}
