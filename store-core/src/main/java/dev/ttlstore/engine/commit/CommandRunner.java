package dev.ttlstore.engine.commit;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Change.Kind;
import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.Command;
import dev.ttlstore.engine.Command.Cleared;
import dev.ttlstore.engine.Command.Forgotten;
import dev.ttlstore.engine.DeliveryCommand;
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
import dev.ttlstore.engine.support.DeliveryLines;
import dev.ttlstore.engine.support.DeliveryTable;
import dev.ttlstore.exception.QuotaExceededException.Amounts;

/**
 * The commands that change rows which they do not name. They run in the engine, in a commit of their own, and report
 * the changes to the commit's draft.
 */
final class CommandRunner {

    private static final int COUNTED_AT_ONCE = 10_000;

    /** How many expired entries a commit removes that clears groups. */
    private static final int EXPIRED_AT_ONCE = 1_000;

    private final Draft draft;
    private final RowCommit commit;
    private boolean recorded;

    CommandRunner(Draft draft, RowCommit commit) {
        this.draft = draft;
        this.commit = commit;
    }

    /** Runs a command. */
    @Nullable
    Object run(Command<?> command) {
        if (command instanceof Command.Clear clear) {
            return clear(clear.groups());
        }
        if (command instanceof Command.Purge purge) {
            return purge(
                    purge.groups(),
                    purge.until(),
                    new PurgeBudget(purge.rows(), purge.goOn(), purge.listed().getAsBoolean()));
        }
        if (command instanceof Command.Forget forget) {
            return forget(forget.groups(), forget.limit());
        }
        if (command instanceof Command.MendRetained mend) {
            return commit.mendRetained(draft.now() + ClockLeap.MOST_MILLIS, draft.now(), mend.limit());
        }
        if (command instanceof Command.CountUsage count) {
            return usage(count.namespace());
        }
        return change(commit.deliveries(), (DeliveryCommand<?>) command);
    }

    private Object change(DeliveryTable table, DeliveryCommand<?> command) {
        DeliveryLines lines = new DeliveryLines(table);
        if (command instanceof DeliveryCommand.Subscribe subscribe) {
            table.add(subscribe.subscriber());
            return true;
        }
        if (command instanceof DeliveryCommand.Unsubscribe unsubscribe) {
            return lines.remove(unsubscribe.subscriber(), Math.min(unsubscribe.limit(), commit.removalLimit()));
        }
        if (command instanceof DeliveryCommand.Erase erase) {
            return table.remove(erase.subscriber(), erase.groups(), Math.min(erase.limit(), commit.removalLimit()));
        }
        if (command instanceof DeliveryCommand.Acknowledge acknowledge) {
            lines.acknowledge(acknowledge.done(), acknowledge.now());
            lines.update(acknowledge.failed(), acknowledge.now());
            return true;
        }
        if (command instanceof DeliveryCommand.Hasten hasten) {
            return table.hasten(hasten.subscriber(), hasten.latest());
        }
        if (command instanceof DeliveryCommand.Retry retry) {
            return lines.retry(retry.subscriber(), retry.id(), retry.now());
        }
        if (command instanceof DeliveryCommand.Discard discard) {
            return table.removeDead(discard.subscriber(), discard.id());
        }
        DeliveryCommand.Trim trim = (DeliveryCommand.Trim) command;
        return lines.trim(trim.subscriber(), trim.keep(), trim.limit(), trim.now());
    }

    /** Tests whether a command has recorded a delivery. */
    boolean hasRecorded() {
        return recorded;
    }

    /**
     * Removes the entries of some groups, or as many as there is room for: first the expired ones, which are listed and so need memory,
     * some with each commit, and then all live ones.
     */
    Cleared clear(GroupRange groups) {
        if (commit.removalLimit() < Integer.MAX_VALUE) { // room is scarce
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
            long live = commit.removeGroup(group);
            draft.removed(Kind.GROUP_DELETED, group, live);
            removed += live;
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

    private List<String> groups(GroupRange groups, int limit) {
        if (groups.isOneGroup()) {
            return List.of(groups.from());
        }
        return commit.reads().groups(Scan.groups(groups, Reads.ALL, limit)).stream()
                .map(GroupInfo::group)
                .toList();
    }

    /** Removes entries one by one, with an event for each, so that listeners know what is left if the rest stays. */
    private Cleared clearSome(String group) {
        RowPage page = commit.reads().page(Scan.group(group, Reads.ALL, commit.removalLimit()));
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

    /**
     * Removes expired entries, the earliest expiry first. Leaves entries that expired after {@code until}. Those that are not
     * listed stay in the cache until others evict them: readers see there that they have expired.
     */
    PurgeResult purge(GroupRange groups, long until, PurgeBudget budget) {
        PurgeResult purged = commit.removeExpired(
                groups, Math.min(until, draft.now()), budget, draft.settings().retained());
        recorded |= purged.recorded();
        draft.removed(Kind.UNLISTED, "", purged.count() - purged.removed().size());
        purged.removed().forEach(row -> draft.expired(row.key(), row.version(), row.expiresAt()));
        return purged;
    }

    /** Removes retained entries: as many as there is room for, up to a limit. */
    int forget(List<Forgotten> groups, int limit) {
        int most = Math.min(limit, commit.removalLimit());
        int removed = 0;
        for (Forgotten forgotten : groups) {
            if (removed < most) {
                removed += commit.forget(forgotten.groups(), forgotten.until(), most - removed);
            }
        }
        return removed;
    }

    /** Returns the usage of a namespace without its expired entries. */
    Amounts usage(String namespace) {
        QuotaCheck.Usage living = new QuotaCheck.Usage(draft.rows().loadUsage(namespace));
        ExpiryWalk expired =
                commit.reads().expiring(ExpiryScan.expired(Namespaces.groups(namespace), draft.now(), COUNTED_AT_ONCE));
        while (expired.hasMore()) {
            for (ExpiryRow row : expired.next()) {
                living.change(row.key().group(), -1, -row.bytes());
            }
        }
        return living.totals();
    }
}
