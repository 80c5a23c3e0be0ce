package dev.ttlstore.internal.purge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.ttlstore.GroupSettings;
import dev.ttlstore.engine.Command;
import dev.ttlstore.engine.Command.Forgotten;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.exception.Printable;
import dev.ttlstore.internal.base.ProgressLog;
import dev.ttlstore.internal.commit.PagedChange;

/**
 * The purge that runs at an interval and on request. Unlike the purge that expires entries on time, it also deletes the
 * entries that have reached the maximum age of their group, and retained entries whose time is over.
 *
 * <p>Groups with a maximum age have an age index, so the cost depends on the number of deleted entries. So does that of
 * retained entries, if all groups keep them equally long. Otherwise each group is looked at as well, but not what it still
 * keeps.
 *
 * @param expired removes expired entries
 * @param reads finds old entries; where many expired ones are in the way, it has them purged
 * @param groups the settings of groups, by full name
 * @param retentions how long expired entries are kept
 * @param revive run after each purge, whether or not it succeeds: it starts threads of the store that are gone
 */
public record PurgeRun(
        ExpiredPurge expired, Reads reads, Map<String, GroupSettings> groups, Retentions retentions, Runnable revive) {

    private static final int OLD_PER_COMMIT = 256;
    private static final int RETAINED_PER_COMMIT = 1_000;
    private static final int GROUPS_PER_PAGE = 256;

    /**
     * Removes all entries that have expired by now, and then deletes those that have reached their maximum age. An
     * interrupt of the thread ends it after the current commit, and the thread's interrupt status stays set.
     *
     * @param range the groups to purge
     * @return how many expired entries were removed
     */
    public long run(GroupRange range) {
        try {
            return purge(range);
        } finally {
            revive.run();
        }
    }

    private long purge(GroupRange range) {
        long now = expired.engine().clock().now();
        forget(range, now); // first, because on a full disk the following removals need the room
        long removed = expired.run(range); // before the ages, because an expired entry must not be deleted instead
        // Some entries may have expired so long ago that their retention is over.
        if (removed > 0 && !retentions.retained().isEmpty()) {
            forget(range, now);
        }
        deleteOld(range);
        return removed;
    }

    /** Removes the retained entries whose time is over, in small commits. */
    private void forget(GroupRange range, long now) {
        ProgressLog progress = new ProgressLog("Removing retained entries");
        if (retentions.areEqual()) {
            long until = retentions.lastForgotten("", now);
            if (Retentions.isAny(expired.engine().reads(), Scan.retained(range, Long.MIN_VALUE, until + 1, 1))) {
                forgetDue(List.of(new Forgotten(range, until)), progress);
            }
        } else {
            forgetByGroup(range, now, progress);
        }
    }

    private void forgetByGroup(GroupRange range, long now, ProgressLog progress) {
        GroupRange rest = range;
        List<GroupInfo> page;
        do {
            page = expired.engine().reads().groups(Scan.retained(rest, Long.MIN_VALUE, Row.NEVER, GROUPS_PER_PAGE));
            List<Forgotten> due = new ArrayList<>();
            for (GroupInfo kept : page) {
                long until = retentions.lastForgotten(kept.group(), now);
                if (kept.oldest() <= until) {
                    due.add(new Forgotten(GroupRange.only(kept.group()), until));
                }
                rest = rest.after(kept.group());
            }
            if (!due.isEmpty()) {
                forgetDue(due, progress);
            }
        } while (page.size() == GROUPS_PER_PAGE && !Thread.currentThread().isInterrupted());
    }

    private void forgetDue(List<Forgotten> due, ProgressLog progress) {
        int batch;
        do {
            batch = expired.pipeline().run(new Command.Forget(due, RETAINED_PER_COMMIT));
            progress.add(batch);
        } while (batch > 0 && !Thread.currentThread().isInterrupted());
    }

    /** Deletes the live entries that have reached the maximum age of their group by now, in small commits. */
    private void deleteOld(GroupRange range) {
        groups.forEach((group, settings) -> {
            Duration maxAge = settings.maxAge();
            if (maxAge != null
                    && range.contains(group)
                    && !Thread.currentThread().isInterrupted()) {
                long unused = deleteOldIn(group, maxAge);
            }
        });
    }

    private long deleteOldIn(String group, Duration maxAge) {
        long latest = Millis.ago(maxAge, "maxAge", expired.engine().clock().now());
        Scan scan = Scan.created(group, latest + 1, OLD_PER_COMMIT);
        return PagedChange.run(
                "Removing entries of the maximum age in group '" + Printable.of(group) + "'",
                last -> reads.page(scan.after(last)),
                row -> true,
                Long.MAX_VALUE,
                Thread.currentThread()::isInterrupted,
                keys -> expired.pipeline()
                        .submit(Request.each(keys, Condition.createdBy(latest), Effect.DELETE))
                        .applied());
    }
}
