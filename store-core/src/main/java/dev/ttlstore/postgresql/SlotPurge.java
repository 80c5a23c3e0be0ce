package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.PurgeBudget;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.engine.support.DeliveryLines;
import dev.ttlstore.postgresql.RowColumns.Columns;

/**
 * Removes expired rows in a commit: those of all slots that no other node is purging, if they are few, and otherwise some of one
 * slot. The mark of a slot says how far its purge has come in the expiry index, because finding the first row there would
 * otherwise step over all the removed ones that a vacuum has not reached. Used by one thread.
 */
final class SlotPurge {

    /** How many rows one commit removes at most, because it holds the locks of its slots meanwhile. */
    private static final int AT_ONCE = 2_000;

    /** From how many due rows on a slot has a commit of its own, so that the others are not locked meanwhile. */
    private static final int MANY = 64;

    /** How many rows such a commit removes at most. */
    private static final int STEP = 64;

    private static final String DUE_IN_SLOT = """
            SELECT 1 FROM @entry e
             WHERE e.slot = p.slot AND e.due_at >= %s AND e.due_at <= ? AND e.grp >= ?::text AND (?::text IS NULL OR e.grp < ?::text)
            """.formatted(ExpiryIndex.MARKED.formatted("p"));

    private static final String CANDIDATES = """
            SELECT p.slot, %s
              FROM @lease p
             WHERE p.role = 'purge' AND p.slot = ANY (?) AND EXISTS (%s)
             ORDER BY p.slot
            """;

    /** With whether there are many rows. */
    private static final String COUNTED_CANDIDATES = CANDIDATES.formatted(
            "(SELECT count(*) = %1$d FROM (%2$sLIMIT %1$d) d)".formatted(MANY, DUE_IN_SLOT), DUE_IN_SLOT);

    private static final String ANY_CANDIDATES = CANDIDATES.formatted("false", DUE_IN_SLOT);

    private static final String MARK_OF = "SELECT p.slot, %s FROM @lease p WHERE p.role = 'purge' AND p.slot = ?"
            .formatted(ExpiryIndex.MARKED.formatted("p"));

    private static final String CLAIM = MARK_OF + " FOR UPDATE SKIP LOCKED";

    private static final String DUE = """
            SELECT e.grp, e.key, e.version, e.expires_at, octet_length(e.key) + octet_length(e.value), e.due_at
              FROM @entry e
             WHERE e.slot = ? AND e.due_at >= ? AND e.due_at <= ? AND e.grp >= ?::text AND (?::text IS NULL OR e.grp < ?::text)
             ORDER BY e.due_at, e.grp, e.key
             LIMIT ?
            """;

    private static final String MOVE = """
            UPDATE @entry e
               SET due_at = e.expires_at
              FROM unnest(?::int[], ?::text[], ?::text[]) r (slot, grp, key)
             WHERE e.slot = r.slot AND e.grp = r.grp COLLATE "C" AND e.key = r.key COLLATE "C"{each e}
            """;

    private static final String RETAIN = """
            INSERT INTO @retained (slot, grp, key, version, created_at, updated_at, expires_at, value)
            SELECT e.slot, e.grp, e.key, e.version, e.created_at, e.updated_at, e.expires_at, e.value
              FROM unnest(?::int[], ?::text[], ?::text[]) r (slot, grp, key)
              JOIN @entry e ON e.slot = r.slot AND e.grp = r.grp COLLATE "C" AND e.key = r.key COLLATE "C"{each e}
                ON CONFLICT DO NOTHING
            """;

    private static final String MARK = "UPDATE @lease p SET mark = ? WHERE p.slot = ? AND p.role = 'purge'";

    private final LockedTransaction transaction;
    private final UsageRows usage;
    private final CrowdedSlots backlog;
    private final GroupRange groups;
    private final long until;
    private final PurgeBudget budget;
    private final List<GroupRange> retained;
    private final List<ExpiryRow> gone = new ArrayList<>();
    private @Nullable List<Subscriber> subscribers;
    private boolean recorded;

    SlotPurge(
            LockedTransaction transaction,
            UsageRows usage,
            CrowdedSlots backlog,
            GroupRange groups,
            long until,
            PurgeBudget budget,
            List<GroupRange> retained) {
        this.transaction = transaction;
        this.usage = usage;
        this.backlog = backlog;
        this.groups = groups;
        this.until = until;
        this.budget = budget;
        this.retained = retained;
    }

    /** A row that is due: to be removed if it has expired, and to be moved in the expiry index if it was renewed. */
    private record Due(ExpiryRow row, long dueAt) {}

    PurgeResult run() {
        boolean more = step() || search();
        gone.sort(Comparator.comparingLong(ExpiryRow::expiresAt));
        return new PurgeResult(gone, more, recorded);
    }

    /** Purges some of a slot that is known to have many rows, and that no other node is purging. Returns whether there was one. */
    private boolean step() {
        for (Integer slot = backlog.take(groups); slot != null; slot = backlog.take(groups)) {
            Long mark = claim(List.of(slot)).get(slot);
            if (mark != null) {
                transaction.hold(List.of(slot));
                if (purge(slot, mark, Math.min(STEP, budget.rows()))) {
                    backlog.more(slot);
                }
                return true;
            }
        }
        return false;
    }

    /**
     * Searches for slots that have something to purge. Purges those that have little, so that they do not wait for the others. Returns
     * whether there may be more.
     */
    private boolean search() {
        Candidates candidates = candidates();
        backlog.found(groups, candidates.full);
        Map<Integer, Long> claimed = claim(candidates.few);
        if (claimed.isEmpty()) {
            return step();
        }
        transaction.hold(claimed.keySet());
        int limit = Math.min(AT_ONCE, budget.rows());
        boolean more = !candidates.full.isEmpty();
        for (Map.Entry<Integer, Long> slot : claimed.entrySet()) {
            more |= gone.size() >= limit || purge(slot.getKey(), slot.getValue(), limit - gone.size());
        }
        return more;
    }

    /** The slots that have little to purge, and those that have much, in a random order. */
    private record Candidates(List<Integer> few, List<Integer> full) {}

    private Candidates candidates() {
        Candidates found = new Candidates(new ArrayList<>(), new ArrayList<>());
        Script script = transaction.script();
        List<Object> due = List.of(until, groups);
        List<Object> parameters = new ArrayList<>(script.isDistributed() ? List.of() : due);
        parameters.add(RowColumns.integers(transaction.slots().of(groups)));
        parameters.addAll(due);
        transaction.run(script.query(
                script.isDistributed() ? ANY_CANDIDATES : COUNTED_CANDIDATES,
                row -> {
                    List<Integer> slots = row.getBoolean(2) ? found.full : found.few;
                    slots.add(row.getInt(1));
                },
                parameters.toArray()));
        Collections.shuffle(found.full);
        return found;
    }

    /**
     * Claims slots that no other node is purging, and returns their marks. A purge of some groups is not left to another node, because
     * what comes after it, such as the removal of a group, may need it.
     */
    private Map<Integer, Long> claim(List<Integer> candidates) {
        Map<Integer, Long> claimed = new TreeMap<>();
        Script script = transaction.script();
        String claim = groups.equals(GroupRange.ALL) ? CLAIM : MARK_OF;
        for (int slot : candidates) {
            script.query(claim, row -> claimed.put(row.getInt(1), row.getLong(2)), slot);
        }
        if (!script.isEmpty()) {
            transaction.run(script);
        }
        return claimed;
    }

    /** Purges a slot, and returns whether there may be more in it. */
    private boolean purge(int slot, long mark, int limit) {
        List<Due> page = transaction.list(
                DUE, row -> new Due(RowColumns.expiryRow(row), row.getLong(6)), slot, mark, until, groups, limit);
        boolean more = page.size() == limit;
        long end = more ? page.get(limit - 1).dueAt() : until;
        Columns moved = Columns.names();
        List<ExpiryRow> expired = new ArrayList<>();
        for (Due due : page) {
            // A renewed row that has expired after the end of this page comes after rows of the next one, so it is
            // moved there.
            if (due.row().expiresAt() <= end) {
                expired.add(due.row());
            } else {
                RowKey key = due.row().key();
                moved.add(slot, key.group(), key.key());
            }
        }
        if (!moved.isEmpty()) {
            Script unused = transaction.writes().add(MOVE, moved);
        }
        expired.sort(ExpiryRow.ORDER);
        remove(slot, expired);
        if (groups.equals(GroupRange.ALL) && !page.isEmpty()) {
            transaction.changed(slot); // logs the time, before which no later commit puts anything
            Script unused = transaction.writes().add(MARK, end, slot);
        }
        return more;
    }

    private void remove(int slot, List<ExpiryRow> expired) {
        if (expired.isEmpty()) {
            return;
        }
        transaction.changed(slot);
        Columns removed = Columns.names();
        Columns kept = Columns.names();
        for (ExpiryRow row : expired) {
            String group = row.key().group();
            removed.add(slot, group, row.key().key());
            if (retained.stream().anyMatch(range -> range.contains(group))) {
                kept.add(slot, group, row.key().key());
            }
            usage.removed(row);
        }
        if (!kept.isEmpty()) {
            Script unused = transaction.writes().add(RETAIN, kept);
        }
        deliver(expired);
        Script unused = transaction.writes().add(RowStatements.DELETE_ALL, removed);
        gone.addAll(expired);
    }

    private void deliver(List<ExpiryRow> expired) {
        DeliveryStatements table = new DeliveryStatements(transaction);
        DeliveryLines lines = new DeliveryLines(table);
        for (Subscriber subscriber : subscribers()) {
            List<ExpiryRow> own = expired.stream()
                    .filter(row -> subscriber.selects(row.key().group()))
                    .toList();
            if (!own.isEmpty()) {
                lines.inserted(table.copy(subscriber.name(), own));
                recorded = true;
            }
        }
    }

    private List<Subscriber> subscribers() {
        List<Subscriber> found = subscribers;
        if (found == null) {
            found = SlotDeliveries.subscribers(transaction);
            subscribers = found;
        }
        return found;
    }
}
