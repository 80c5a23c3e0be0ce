package dev.ttlstore.internal.purge;

import java.util.ArrayList;
import java.util.List;

import dev.ttlstore.engine.Command.Forgotten;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.internal.base.ProgressLog;
import dev.ttlstore.internal.commit.CommitPipeline;

/**
 * Removes retained entries whose time is over, in small commits. If all groups have the same time, the cost depends on
 * what is removed. Otherwise each group is looked at as well, but not what it still keeps.
 *
 * @param engine finds groups with retained entries
 * @param pipeline takes writes
 * @param retentions how long expired entries are kept
 */
public record RetentionPurge(Engine engine, CommitPipeline pipeline, Retentions retentions) {

    private static final int ROWS_PER_COMMIT = 1_000;
    private static final int GROUPS_PER_PAGE = 256;

    /**
     * Removes the entries whose time is over. An interrupt of the thread ends it after the current commit.
     *
     * @param groups the groups to look at
     * @param now the current time
     */
    void run(GroupRange groups, long now) {
        ProgressLog progress = new ProgressLog("Removing retained entries");
        if (retentions.areEqual()) {
            long until = retentions.lastForgotten("", now);
            if (isAny(groups, until)) {
                forget(List.of(new Forgotten(groups, until)), progress);
            }
        } else {
            forgetByGroup(groups, now, progress);
        }
    }

    /** Returns whether the entries of any group are retained when they are removed. */
    boolean isAnyGroupRetained() {
        return !retentions.retained().isEmpty();
    }

    /** Reads first, because most purges find nothing, and then need no commit. */
    private boolean isAny(GroupRange groups, long until) {
        Scan first = Scan.retained(groups, Long.MIN_VALUE, until + 1, 1);
        return engine.reads().page(first).last() != null;
    }

    private void forgetByGroup(GroupRange groups, long now, ProgressLog progress) {
        GroupRange rest = groups;
        List<GroupInfo> page;
        do {
            page = engine.reads().groups(Scan.retained(rest, Long.MIN_VALUE, Row.NEVER, GROUPS_PER_PAGE));
            List<Forgotten> due = new ArrayList<>();
            for (GroupInfo kept : page) {
                long until = retentions.lastForgotten(kept.group(), now);
                if (kept.oldest() <= until) {
                    due.add(new Forgotten(GroupRange.only(kept.group()), until));
                }
            }
            if (!due.isEmpty()) {
                forget(due, progress);
            }
            rest = page.isEmpty() ? rest : rest.after(page.get(page.size() - 1).group());
        } while (page.size() == GROUPS_PER_PAGE && !Thread.currentThread().isInterrupted());
    }

    private void forget(List<Forgotten> due, ProgressLog progress) {
        int batch;
        do {
            batch = pipeline.writes().forget(due, ROWS_PER_COMMIT);
            progress.add(batch);
        } while (batch > 0 && !Thread.currentThread().isInterrupted());
    }
}
