package dev.ttlstore.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

import dev.ttlstore.commit.UsageLedger.NamespaceUsage;
import dev.ttlstore.engine.DeliveryWrites;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Sweep;

/**
 * The commands that change rows which they do not name. They run in the engine, in a commit of their own, and tell the draft
 * of it what has happened.
 */
public final class SetWide {

    /** No entry can have such a name. */
    private static final RowKey PROBED = new RowKey("\0", "\0");

    private static final int PROBED_BYTES = 16_384;

    private final Draft draft;
    private final EngineTransaction transaction;

    SetWide(Draft draft, EngineTransaction transaction) {
        this.draft = draft;
        this.transaction = transaction;
    }

    /** A set-wide command. */
    interface Command<R> {
        R run(SetWide commands);
    }

    /** Removes the entries of a group: first the expired ones, so that their expiry is told, then the live ones at once. */
    long clear(String group) {
        boolean more = true;
        while (more) {
            more = purge(GroupRange.only(group), draft.now(), Integer.MAX_VALUE).more();
        }
        long removed = transaction.removeGroup(group);
        draft.cache().clear(group);
        NamespaceUsage usage = draft.ledger().ifTracked(group);
        if (usage != null) {
            usage.drop(group);
        }
        draft.log().groupDeleted(group, removed);
        return removed;
    }

    /** Removes the entries of some groups. */
    long clear(GroupRange groups) {
        long removed = 0;
        for (String group : transaction.reads().groups(groups, "", Long.MIN_VALUE, Integer.MAX_VALUE)) {
            removed += clear(group);
        }
        return removed;
    }

    /** Removes expired entries, those before others that had expired at a time, and the oldest first. */
    Sweep purge(GroupRange groups, long until, int limit) {
        Sweep sweep = transaction.removeExpired(groups, Math.min(until, draft.now()), limit, draft.keep());
        sweep.removed().forEach(row -> draft.cache().change(row.key(), null));
        tellExpired(sweep.removed());
        return sweep;
    }

    /**
     * Goes on removing expired entries in steps.
     *
     * @param goOn whether to take another step, by how many entries have been removed
     */
    Sweep purge(GroupRange groups, long until, int step, IntPredicate goOn) {
        List<ExpiryRow> removed = new ArrayList<>();
        Sweep sweep;
        do {
            sweep = purge(groups, until, step);
            removed.addAll(sweep.removed());
            // On a full disk in small commits: each gives its room back before the next.
        } while (sweep.more() && !transaction.isRepeated() && goOn.test(removed.size()));
        return new Sweep(removed, sweep.more());
    }

    /** Forgets entries that were retained when they expired. */
    int forget(GroupRange groups, long until, int limit) {
        return transaction.forget(groups, until, limit);
    }

    /** Changes subscribers and their deliveries. */
    DeliveryWrites deliveries() {
        return transaction.deliveries();
    }

    /** Has something done under the writer's lock once the commit is done, and only then. */
    void whenCommitted(Runnable work) {
        draft.whenCommitted(work);
    }

    /** Has the mark saved though nothing has changed. */
    boolean touch() {
        draft.save(transaction, draft.log().sequence());
        return true;
    }

    /**
     * Writes what is larger than a small entry and takes it away again, in the same commit: on a disk that is full, the mark
     * alone may still find room where no entry does.
     */
    boolean probe() {
        long now = draft.now();
        Row row = new Row(PROBED, new byte[PROBED_BYTES], 0, now, now, Row.NEVER - 1);
        transaction.store(List.of(new RowChange(null, row)));
        transaction.store(List.of(new RowChange(row, null)));
        return touch();
    }

    /** Tells what a namespace takes, without what has expired. */
    UsageTotals usage(String namespace) {
        NamespaceUsage living = draft.ledger().require(namespace, draft).copy();
        ExpiryScan all = ExpiryScan.expired(Namespaces.groups(namespace), draft.now(), Integer.MAX_VALUE);
        for (ExpiryRow row : transaction.reads().expiries(all)) {
            living.change(row.key().group(), -1, -row.bytes());
        }
        return living.totals();
    }

    private void tellExpired(List<ExpiryRow> rows) {
        for (ExpiryRow row : rows) {
            NamespaceUsage usage = draft.ledger().ifTracked(row.key().group());
            if (usage != null) {
                usage.change(row.key().group(), -1, -row.bytes());
            }
            draft.log().expired(row.key(), row.version(), row.expiresAt());
        }
    }
}
