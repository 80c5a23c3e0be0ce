package dev.ttlstore.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.GroupUsage;
import dev.ttlstore.engine.HighWater;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.support.Inspection;
import dev.ttlstore.engine.support.RecordCheck;
import dev.ttlstore.engine.support.RecordCheck.Name;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.verification.Finding.Kind;

import static dev.ttlstore.sqlite.Layouts.PARKED;

/**
 * Verifies a database, as of one moment, in one session. Damage that stops one step does not stop the next one.
 */
final class FileVerification {

    private static final String STRUCTURE = "PRAGMA integrity_check(1000)";

    private static final String ENTRIES = """
            SELECT grp, key, version, value, %s, created_at, updated_at, expires_at, due_at, aged_at, id
              FROM entry
             ORDER BY id
            """.formatted(RowChecksum.COLUMN);

    private static final String RETAINED = """
            SELECT grp, key, version, value, %s, created_at, updated_at
              FROM retained
             ORDER BY expires_at, grp, key, version
            """.formatted(RowChecksum.COLUMN);

    /** Reads the names in the index, and no row. */
    private static final String NAMES = "SELECT id, grp, key FROM entry INDEXED BY entry_name ORDER BY grp, key";

    private static final String DELIVERIES = """
            SELECT grp, key, version, value, %s, subscriber, subscriber IN (SELECT name FROM subscriber)
              FROM delivery
             ORDER BY id
            """.formatted(RowChecksum.COLUMN);

    /** The highest number of a delivery, after which the next one follows. */
    private static final String LAST_DELIVERY = """
            SELECT max((SELECT ifnull(max(id), 0) FROM delivery),
                       ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'delivery'), 0))
            """;

    private static final String UNREADABLE = " cannot be read: it lacks what each has";

    private static final String LINES = """
            SELECT grp, key, sum(next_at < %d)
              FROM delivery
             WHERE next_at IS NOT NULL
             GROUP BY subscriber, grp, key
            HAVING sum(next_at < %1$d) <> 1
            """.formatted(PARKED);

    private final SqliteSession session;
    private final Inspection inspection;
    private final RecordCheck check;
    private long sequence = Long.MAX_VALUE;
    private boolean replaced;

    FileVerification(SqliteSession session, Inspection inspection) {
        this.session = session;
        this.inspection = inspection;
        this.check = new RecordCheck(inspection);
    }

    /** Begins the snapshot of a session that is in a transaction. */
    static void beginSnapshot(SqliteSession session) {
        SchemaCheck unused = SchemaCheck.of(session);
    }

    /**
     * Verifies everything in one snapshot.
     * @param counted reads the session, so that its snapshot begins, and returns the usage of namespaces at that moment
     */
    void run(Supplier<Map<String, List<GroupUsage>>> counted) {
        boolean[] done = {false};
        try {
            done[0] = session.inSnapshot(() -> {
                steps(counted.get());
                done[0] = true;
                return true;
            });
        } catch (StoreCorruptedException e) {
            if (!done[0]) { // otherwise SQLite repeats at the end of the transaction what was found within
                damaged("beginning", e);
            }
        }
    }

    private void steps(Map<String, List<GroupUsage>> usage) {
        step("structure", () -> {
            schema();
            structure();
        });
        if (replaced) {
            return;
        }
        step("entries", () -> {
            mark();
            entries();
        });
        step(
                "retained",
                () -> each(RETAINED, row -> {
                    if (isReadable(row)) {
                        check.times(written(row), row.getLong(6), row.getLong(7));
                    } else {
                        inspection.found(Kind.STRUCTURE, "A retained row" + UNREADABLE);
                    }
                }));
        step("deliveries", () -> {
            subscribers();
            deliveries();
        });
        step("usage", () -> usage.forEach(this::compare));
    }

    private void step(String name, Runnable work) {
        inspection.step(name);
        try {
            session.watched(inspection::goOn, work);
        } catch (StoreCorruptedException e) {
            damaged(name, e);
        } catch (StoreException e) {
            inspection.throwReason();
            if (!SqliteErrors.isRefusedStatement(e)) {
                throw e;
            }
            inspection.found(
                    Kind.STRUCTURE,
                    "The tables for the step '" + name + "' are not those of a store: " + e.getMessage());
        }
    }

    private void damaged(String name, StoreCorruptedException e) {
        Throwable cause = e.getCause();
        inspection.found(
                Kind.STRUCTURE,
                "The step '" + name + "' could not be finished: " + (cause == null ? e : cause).getMessage());
    }

    private void each(String sql, SqliteStatement.RowTaker rows) {
        session.bind(sql).each(row -> {
            inspection.row();
            rows.take(row);
        });
    }

    private void structure() {
        session.bind(STRUCTURE).each(row -> {
            String said = row.getString(1).replaceAll("\\s+", " ");
            if (!"ok".equals(said)
                    && !said.startsWith("CHECK constraint failed in entry")) { // found again with the entry
                inspection.found(isOfIndex(said) ? Kind.INDEX : Kind.STRUCTURE, "SQLite says: " + said);
            }
        });
    }

    private static boolean isOfIndex(String said) {
        return said.contains(" missing from index ")
                || said.contains(" of entries in index ")
                || said.contains("non-unique entry in index ")
                || said.contains(" not in sorted order in index ");
    }

    /** Compares the schema with that of a new store, before a statement uses it. */
    private void schema() {
        SchemaCheck schema = SchemaCheck.of(session);
        for (String each : schema.missing()) {
            Kind kind = each.startsWith("index ") ? Kind.INDEX : Kind.STRUCTURE;
            inspection.found(kind, "The file has no " + each);
        }
        for (String each : schema.foreign()) {
            inspection.found(Kind.STRUCTURE, "The file has a foreign or changed " + each);
        }
        replaced = schema.hasReplaced();
    }

    private void mark() {
        List<Optional<HighWater>> rows =
                session.bind(SequenceRow.READ).list(row -> Optional.ofNullable(SequenceRow.sound(row)));
        Optional<HighWater> only = rows.size() == 1 ? rows.get(0) : Optional.empty();
        if (only.isPresent() && only.get().sequence() >= 0) {
            sequence = only.get().sequence();
        } else {
            inspection.found(
                    Kind.STRUCTURE,
                    "What the table 'mark' says of the versions that were used is missing or was changed");
        }
    }

    private void entries() {
        Map<String, Boolean> aged = session.reads().agedGroups();
        Set<Long> unreadable = new HashSet<>();
        each(ENTRIES, row -> {
            if (!isReadable(row)) {
                unreadable.add(row.getLong(11));
                return;
            }
            Name name = written(row);
            long createdAt = row.getLong(6);
            check.times(name, createdAt, row.getLong(7));
            check.expiry(
                    name, EntryColumns.numberOrNull(row, 8), EntryColumns.numberOrNull(row, 9), Layouts.MAX_LAG_MILLIS);
            Long agedAt = EntryColumns.numberOrNull(row, 10);
            Boolean complete = name.group() == null ? null : aged.get(name.group());
            if (agedAt == null ? Boolean.TRUE.equals(complete) : complete == null || agedAt != createdAt) {
                check.report(Kind.INDEX, name, "The place of the entry in the index of ages is not its creation");
            }
        });
        if (!unreadable.isEmpty()) {
            unreadable(unreadable);
        }
    }

    /** Names rows that do not have their names any more, by the index of names. */
    private void unreadable(Set<Long> ids) {
        boolean unused = session.bind(NAMES).until(row -> {
            if (ids.remove(row.getLong(1))) {
                check.report(Kind.STRUCTURE, EntryColumns.name(row, 2), "The row of the entry" + UNREADABLE);
            }
            return ids.isEmpty();
        });
        ids.forEach(id -> inspection.found(Kind.STRUCTURE, "The row of an entry" + UNREADABLE));
    }

    private void subscribers() {
        each(RebuiltFile.SUBSCRIBERS, row -> {
            String name = EntryColumns.decoded(row, 1);
            String problem = RecordCheck.problemOfName("subscriber", name);
            if (problem != null) {
                inspection.found(Kind.NAME, problem);
            }
            if (EntryColumns.decoded(row, 2) == null || EntryColumns.decoded(row, 3) == null) {
                inspection.found(Kind.NAME, "The groups of the subscriber " + name + " are no UTF-8");
            }
            String nameProblem = EntryColumns.problemOfGroupOrNull(row, 4);
            if (nameProblem != null) {
                inspection.found(Kind.NAME, nameProblem + ", of the subscriber " + name);
            }
        });
    }

    private void deliveries() {
        each(DELIVERIES, row -> {
            if (!isReadable(row)) {
                inspection.found(Kind.STRUCTURE, "A delivery" + UNREADABLE);
                return;
            }
            Name name = written(row);
            if (row.getInt(7) == 0) {
                check.orphan(name, EntryColumns.decoded(row, 6));
            }
        });
        if (session.bind(LAST_DELIVERY).<Long>one(row -> row.getLong(1)) > RebuiltFile.LAST_VERSION) {
            inspection.found(
                    Kind.STRUCTURE, "The number of a delivery cannot be one of the store, and none could follow");
        }
        session.bind(LINES).each(row -> check.disorder(EntryColumns.name(row, 1), row.getLong(3)));
    }

    /** Compares what the store believes a namespace uses with its rows. */
    private void compare(String namespace, List<GroupUsage> counted) {
        Map<String, GroupUsage> believed = new HashMap<>();
        counted.forEach(usage -> believed.put(usage.group(), usage));
        for (GroupUsage usage : session.reads().usage(Namespaces.groups(namespace))) {
            GroupUsage other = believed.remove(usage.group());
            if (!usage.equals(other)) {
                inspection.found(Kind.USAGE, usage.group(), null, differs(other, usage));
            }
        }
        believed.values().forEach(usage -> inspection.found(Kind.USAGE, usage.group(), null, differs(usage, null)));
    }

    private static String differs(@Nullable GroupUsage believed, @Nullable GroupUsage found) {
        return "The store believes that the group has " + RecordCheck.text(believed) + ", but it has "
                + RecordCheck.text(found);
    }

    /** Tests whether a row has a version. SQLite reads one whose header was overwritten as one without content. */
    private static boolean isReadable(ResultSet row) throws SQLException {
        return row.getLong(3) >= 1;
    }

    /**
     * Checks what was written together: the columns grp, key, version, value and the checksum, in this order. The checksum covers all of
     * them, so it is compared if nothing else is wrong.
     */
    private Name written(ResultSet row) throws SQLException {
        Name name = EntryColumns.name(row, 1);
        long version = row.getLong(3);
        check.name(name);
        if (version > sequence) {
            check.report(
                    Kind.VERSION,
                    name,
                    "The entry has the version " + version + ", but the store has used no number after " + sequence);
        } else if (name.problem() == null
                && new RowChecksum().differs(name.rowKey(), version, row.getBytes(4), row, 4)) {
            check.report(Kind.VALUE, name, "The value does not match its checksum");
        }
        return name;
    }
}
