package dev.ttlstore.internal.commit;

import java.util.List;

import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.DeliveryWrites;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.PurgeBudget;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;

/**
 * The commands that change rows which they do not name. They run in the engine, in a commit of their own, and report
 * the changes to the commit's draft.
 */
final class RangeCommands {

    private static final int COUNTED_AT_ONCE = 10_000;

    /** How many expired entries a commit removes that clears groups. */
    private static final int EXPIRED_AT_ONCE = 1_000;

    private final Draft draft;
    private final EngineTransaction transaction;

    RangeCommands(Draft draft, EngineTransaction transaction) {
        this.draft = draft;
        this.transaction = transaction;
    }

    /** A range command. */
    interface Command<R> {
        R run(RangeCommands commands);
    }

    /**
     * The result of a clear.
     *
     * @param removed how many live entries were removed
     * @param more whether there are more, which need another commit
     */
    record Cleared(long removed, boolean more) {}

    /**
     * Removes the entries of some groups, or as many as there is room for: first the expired ones, which are listed and so need memory,
     * some with each commit, and then all live ones.
     */
    Cleared clear(GroupRange groups) {
        if (isRoomScarce()) {
            List<String> next = groups(groups, 2);
            if (next.isEmpty()) {
                return new Cleared(0, false);
            }
            Cleared first = clearSome(next.get(0));
            return new Cleared(first.removed(), first.more() || next.size() > 1);
        }
        List<String> all = groups(groups, Integer.MAX_VALUE);
        if (!isPurged(all)) {
            return new Cleared(0, true);
        }
        long removed = 0;
        for (String group : all) {
            removed += removeLive(group);
        }
        return new Cleared(removed, false);
    }

    private boolean isPurged(List<String> groups) {
        int left = EXPIRED_AT_ONCE;
        for (String group : groups) {
            PurgeResult purged = purge(GroupRange.only(group), draft.now(), PurgeBudget.of(left));
            left -= Math.toIntExact(purged.count());
            if (purged.more() || left <= 0) {
                return false;
            }
        }
        return true;
    }

    private boolean isRoomScarce() {
        return transaction.removalLimit() < Integer.MAX_VALUE;
    }

    private List<String> groups(GroupRange groups, int limit) {
        if (groups.isOneGroup()) {
            return List.of(groups.from());
        }
        return transaction.reads().groups(Scan.groups(groups, Reads.ALL, limit)).stream()
                .map(GroupInfo::group)
                .toList();
    }

    /** Removes entries one by one, with an event for each, so that listeners know what is left if the rest stays. */
    private Cleared clearSome(String group) {
        RowPage page = transaction.reads().page(Scan.group(group, Reads.ALL, transaction.removalLimit()));
        draft.rows().adopt(page.rows());
        long removed = 0;
        for (Row row : page.rows()) {
            Row live = draft.live(row.key());
            if (live != null) {
                draft.delete(live);
                removed++;
            }
        }
        return new Cleared(removed, page.more());
    }

    private long removeLive(String group) {
        long removed = transaction.removeGroup(group);
        draft.cache().clear(group);
        draft.log().groupDeleted(group, removed);
        return removed;
    }

    /**
     * Removes expired entries, the earliest expiry first. Leaves entries that expired after {@code until}. Those that are not
     * listed stay in the cache until others evict them: readers see there that they have expired.
     */
    PurgeResult purge(GroupRange groups, long until, PurgeBudget budget) {
        PurgeResult purged = transaction.removeExpired(
                groups, Math.min(until, draft.now()), budget, draft.settings().retained());
        draft.recorded(purged.recorded());
        draft.log().leaveOut(purged.count() - purged.removed().size());
        purged.removed().forEach(row -> draft.cache().change(row.key(), null));
        publishExpired(purged.removed());
        return purged;
    }

    /** Removes retained entries: as many as there is room for, up to a limit. */
    int forget(List<Forgotten> groups, int limit) {
        int most = Math.min(limit, transaction.removalLimit());
        int removed = 0;
        for (Forgotten forgotten : groups) {
            if (removed < most) {
                removed += transaction.forget(forgotten.groups(), forgotten.until(), most - removed);
            }
        }
        return removed;
    }

    /** Lets retained entries expire now that come from a clock that was ahead. */
    int mendRetained(int limit) {
        return transaction.mendRetained(draft.now() + ClockLeap.MOST_MILLIS, draft.now(), limit);
    }

    /**
     * Removes deliveries of a subscriber: as many as there is room for, up to a limit. Removes the subscriber with
     * its last deliveries, and returns whether it did.
     */
    boolean unsubscribe(String name, int limit) {
        return transaction.deliveries().remove(name, Math.min(limit, transaction.removalLimit()));
    }

    /** Returns the changes of subscribers and their deliveries. */
    DeliveryWrites deliveries() {
        return transaction.deliveries();
    }

    /** Returns the usage of a namespace without its expired entries. */
    UsageTotals usage(String namespace) {
        DraftUsage living = new DraftUsage(draft.rows().loadUsage(namespace));
        ExpiryWalk expired = transaction
                .reads()
                .expiring(ExpiryScan.expired(Namespaces.groups(namespace), draft.now(), COUNTED_AT_ONCE));
        while (expired.hasMore()) {
            for (ExpiryRow row : expired.next()) {
                living.change(row.key().group(), -1, -row.bytes());
            }
        }
        return living.totals();
    }

    private void publishExpired(List<ExpiryRow> rows) {
        for (ExpiryRow row : rows) {
            draft.log().expired(row.key(), row.version(), row.expiresAt());
        }
    }
}
