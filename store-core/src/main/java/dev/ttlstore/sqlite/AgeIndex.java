package dev.ttlstore.sqlite;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.exception.Printable;
import dev.ttlstore.exception.StoreFullException;

/**
 * The index of entries by their creation. It has the entries of some groups only.
 *
 * <p>This brings it in line with the settings when a store is opened: adds the entries of groups that are new to it,
 * and removes those of groups that are no longer to be in it. Works in small commits. The file notes which groups are
 * complete, so an interrupted run starts again at the next opening.
 *
 * @param engine the engine that is being opened
 */
record AgeIndex(SqliteEngine engine) {

    private static final Logger log = LoggerFactory.getLogger(AgeIndex.class);

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

    private static final int STEP_ROWS = 1_000;

    /** A step ends when its values have reached this many bytes, because a changed row is written as a whole. */
    private static final long STEP_BYTES = 1024 * 1024;

    /**
     * Makes the index contain the entries of some groups.
     *
     * @param wanted the groups, by full name
     */
    void run(Set<String> wanted) {
        Map<String, Boolean> known = engine.read(session -> session.reads().agedGroups());
        Set<String> maintained = new HashSet<>(wanted);
        for (String group : known.keySet()) {
            if (!wanted.contains(group) && !clear(group)) {
                maintained.add(group);
            }
        }
        for (String group : wanted) {
            if (!known.getOrDefault(group, false)) {
                fill(group);
            }
        }
        engine.maintainAges(maintained);
    }

    private void fill(String group) {
        try {
            walk("Indexing", group, FILL, session -> mark(session, group, true));
        } catch (StoreFullException e) {
            throw new StoreFullException(
                    "The entries of group '" + group
                            + "' cannot be indexed by their age, because the disk is full. Free"
                            + " about a quarter of the size of the group, or open the store without the group's age"
                            + " index and maximum age",
                    e);
        }
    }

    /** Returns whether the entries of a group could be removed from the index. On a full disk, they stay up to date in it. */
    private boolean clear(String group) {
        try {
            walk("Removing the age index of", group, CLEAR, session -> session.bind(UNMARK)
                    .text(group)
                    .update());
            return true;
        } catch (StoreFullException e) {
            log.warn(
                    "The disk is full, so the age index of group '{}' stays until the next opening",
                    Printable.of(group),
                    e);
            return false;
        }
    }

    /** Changes all rows of a group, step by step. The first and the last commit also note how far the index is. */
    private void walk(String what, String group, String change, Consumer<SqliteSession> end) {
        String last = write(session -> {
            mark(session, group, false);
            return step(session, group, change, "", end);
        });
        if (last == null) {
            return;
        }
        log.info("{} group '{}'", what, Printable.of(group));
        while (last != null) {
            String after = last;
            last = write(session -> step(session, group, change, after, end));
        }
        log.info("{} group '{}' has ended", what, Printable.of(group));
    }

    private @Nullable String write(Function<SqliteSession, @Nullable String> work) {
        return engine.<@Nullable String>write(transaction -> work.apply(transaction.forManyRows()));
    }

    /** Notes that a group may have entries in the index, and whether all of them are in it. */
    private static void mark(SqliteSession session, String group, boolean complete) {
        session.bind(MARK).text(group).number(complete ? 1 : 0).update();
    }

    /**
     * Changes the next rows of a group.
     *
     * @param change {@link #FILL} or {@link #CLEAR}
     * @param after the last key of the step before; empty at first
     * @param end follows the last rows
     * @return the last key of this step; null if there are no more rows
     */
    private static @Nullable String step(
            SqliteSession session, String group, String change, String after, Consumer<SqliteSession> end) {
        Step step = new Step();
        boolean cut = session.bind(STEP)
                .text(group)
                .text(after)
                .number(STEP_ROWS)
                .until(row -> step.add(EntryColumns.text(row, 1), row.getLong(2)));
        if (step.last != null) {
            session.bind(change).text(group).text(after).text(step.last).update();
            if (cut || step.rows == STEP_ROWS) {
                return step.last;
            }
        }
        end.accept(session);
        return null;
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
