package dev.ttlstore.postgresql;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.OuterTransaction;
import dev.ttlstore.engine.OuterTransactions;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.transaction.ApplicationTransaction;
import dev.ttlstore.transaction.ApplicationTransactions;
import dev.ttlstore.transaction.TransactionParticipant;

/** The transactions of the application in which the store takes part. Thread-safe. */
final class Joins implements OuterTransactions {

    private final NodeParts parts;
    private final ApplicationTransactions transactions;
    private final Coordination nodes;

    /**
     * Negative, so that no entry ever has such a number, and from a place of this node's own, so that two transactions hardly show
     * the same ones.
     */
    private final AtomicLong provisionalNumbers;

    /** The transactions that have locked slots, by the thread that is in them. */
    private final ConcurrentMap<Thread, List<Join>> locking = new ConcurrentHashMap<>();

    /**
     * Prepares to take part.
     *
     * @param parts what all commits share
     * @param transactions tells which transaction a thread is in
     * @param nodes learns of what was committed and shown
     */
    Joins(NodeParts parts, ApplicationTransactions transactions, Coordination nodes) {
        this.parts = parts;
        this.transactions = transactions;
        this.nodes = nodes;
        this.provisionalNumbers = new AtomicLong(Long.MIN_VALUE + (parts.node().getLeastSignificantBits() >>> 2));
    }

    @Override
    public @Nullable TransactionParticipant join(Function<OuterTransaction, TransactionParticipant> begin) {
        ApplicationTransaction transaction = transactions.current();
        if (transaction == null) {
            return null;
        }
        TransactionParticipant participant = transaction.participant();
        if (participant == null) {
            participant = begin.apply(new Join(this, transaction));
            transaction.join(participant);
        }
        return participant;
    }

    @Override
    public boolean isLocking() {
        return !locking.isEmpty() && locking.containsKey(Thread.currentThread());
    }

    @Override
    public void requireFree(GroupRange groups) {
        List<Join> own = locking.getOrDefault(Thread.currentThread(), List.of());
        if (parts.slots().of(groups).stream().anyMatch(slot -> own.stream().anyMatch(join -> join.hasLocked(slot)))) {
            throw new StoreException(
                    "The commit of this thread's transaction has begun and keeps a lock, for which a write outside the transaction"
                            + " would wait in vain",
                    "Write outside before the commit begins. If Hibernate does so when it flushes, call entityManager.flush() at the end"
                            + " of the method",
                    null);
        }
    }

    void locked(Join join) {
        Object unused = locking.compute(join.thread(), (thread, joins) -> {
            List<Join> own = joins == null ? new CopyOnWriteArrayList<>() : joins;
            own.add(join);
            return own;
        });
    }

    void unlocked(Join join) {
        if (!locking.isEmpty()) {
            Object unused = locking.computeIfPresent(join.thread(), (thread, joins) -> {
                joins.removeIf(ended -> ended == join);
                return joins.isEmpty() ? null : joins;
            });
        }
    }

    NodeParts parts() {
        return parts;
    }

    long provisionalNumber() {
        return provisionalNumbers.getAndIncrement();
    }

    /** Notes the end of a transaction that was committed, or may have been. */
    void committed(List<LogRow> rows) {
        nodes.committedOutside(rows);
    }

    /** Notes that a transaction has shown numbers of a slot up to one, and was rolled back. */
    void used(int slot, long number) {
        nodes.used(slot, number);
    }

    /** Notes that a transaction has seen that entries of a slot have expired by a time. */
    void shown(int slot, long time) {
        nodes.shown(slot, time);
    }
}
