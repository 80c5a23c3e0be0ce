package dev.ttlstore.engine.commit;

import java.util.List;

import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.Change.Kind;
import dev.ttlstore.engine.CommitSettings;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.WriteSet;

/**
 * The store as a transaction sees it: the committed rows, overlaid by the transaction's own changes. A clear
 * finds its rows here and removes them one by one.
 *
 * @since 0.1
 */
public final class TransactionDraft {

    private static final int PAGE = 512;

    private final Draft draft;
    private final OverlayReads reads;

    /**
     * Begins a transaction.
     *
     * @param settings what all commits share
     * @param snapshot what it reads
     */
    public TransactionDraft(CommitSettings settings, EngineSnapshot snapshot) {
        this(new Draft(settings, snapshot, List.of()));
    }

    TransactionDraft(Draft draft) {
        this.draft = draft;
        this.reads = new OverlayReads(draft);
    }

    /**
     * Returns how far the transaction has come.
     *
     * @return a mark for {@link #undo}
     */
    public DraftMark mark() {
        return draft.mark();
    }

    /**
     * Undoes what was decided after a mark.
     *
     * @param mark a mark of this transaction
     */
    public void undo(DraftMark mark) {
        draft.undo(mark);
    }

    /**
     * Returns what the transaction writes.
     *
     * @return what it has decided so far; later decisions may change it
     */
    public WriteSet writes() {
        return draft.writes();
    }

    /**
     * Returns the time of the transaction.
     *
     * @return milliseconds since the epoch
     */
    public long now() {
        return draft.now();
    }

    /**
     * Takes a sequence number.
     *
     * @param group the full name of a group
     * @return a number after those of all earlier events of the group, and before those of all later ones
     */
    public long nextSequence(String group) {
        return draft.nextSequence(group);
    }

    /**
     * Adds a request.
     *
     * @param request the request
     * @return what has become of it
     */
    public Answer apply(Request request) {
        draft.load(request.keys());
        return draft.decide(request);
    }

    /**
     * Returns the reads of the transaction.
     *
     * @return committed rows, overlaid by the transaction's own changes
     */
    public Reads reads() {
        return reads;
    }

    /**
     * Removes the live entries of groups.
     *
     * @param groups the groups
     * @return how many were removed
     */
    public long clear(GroupRange groups) {
        new ExpiredRows(draft, groups).removeAll(); // first, because they expired before the deletion
        long removed = 0;
        for (GroupInfo found : reads.groups(Scan.groups(groups, Reads.NOW, Integer.MAX_VALUE))) {
            String group = found.group();
            long entries = 0;
            Scan scan = Scan.group(group, Reads.NOW, PAGE);
            RowPage page;
            do {
                page = reads.page(scan);
                draft.rows().adopt(page.rows());
                page.rows().forEach(draft::remove);
                entries += page.rows().size();
                scan = scan.after(page.last());
            } while (page.more());
            draft.removed(Kind.GROUP_DELETED, group, entries);
            removed += entries;
        }
        return removed;
    }
}
