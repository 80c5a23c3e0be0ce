package dev.ttlstore.postgresql;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.JoinableTransaction;
import dev.ttlstore.engine.JoinableTransactions;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.transaction.ApplicationTransaction;
import dev.ttlstore.transaction.ApplicationTransactions;
import dev.ttlstore.transaction.TransactionParticipant;

/** The transactions of the application in which the store takes part. Thread-safe. */
final class TransactionJoiner implements JoinableTransactions {

    private final NodeContext node;
    private final ApplicationTransactions transactions;
    private final Coordination nodes;

    /**
     * Negative, so that no entry ever has such a number, and from a place of this node's own, so that two transactions hardly show
     * the same ones.
     */
    private final AtomicLong provisionalNumbers;

    /** The transactions that have locked slots. */
    private final Set<EnlistedTransaction> locking = ConcurrentHashMap.newKeySet();

    /**
     * Prepares to take part.
     *
     * @param node what all commits share
     * @param transactions tells which transaction a thread is in
     * @param nodes learns of what was committed and shown
     */
    TransactionJoiner(NodeContext node, ApplicationTransactions transactions, Coordination nodes) {
        this.node = node;
        this.transactions = transactions;
        this.nodes = nodes;
        this.provisionalNumbers = new AtomicLong(Long.MIN_VALUE + (node.id().getLeastSignificantBits() >>> 2));
    }

    @Override
    public @Nullable TransactionParticipant join(Function<JoinableTransaction, TransactionParticipant> begin) {
        ApplicationTransaction transaction = transactions.current();
        if (transaction == null) {
            return null;
        }
        TransactionParticipant participant = transaction.participant();
        if (participant == null) {
            participant = begin.apply(new EnlistedTransaction(node, nodes, this, transaction));
            transaction.join(participant);
        }
        return participant;
    }

    /** Returns a number for a write until the commit. */
    long nextNumber() {
        return provisionalNumbers.getAndIncrement();
    }

    /** Notes that a transaction locks slots. */
    void locked(EnlistedTransaction transaction) {
        boolean unused = locking.add(transaction);
    }

    /** Notes the end of a transaction. */
    void unlocked(EnlistedTransaction transaction) {
        boolean unused = locking.remove(transaction);
    }

    @Override
    public void requireFree(GroupRange groups) {
        boolean taken = locking.stream()
                .filter(EnlistedTransaction::isOfThisThread)
                .anyMatch(own -> node.slots().of(groups).stream().anyMatch(own::hasLocked));
        if (taken) {
            throw new StoreException(
                    "The commit of this thread's transaction has begun and keeps a lock, for which a write outside the transaction"
                            + " would wait in vain",
                    "Write outside before the commit begins. If Hibernate does so when it flushes, call entityManager.flush() at the end"
                            + " of the method",
                    null);
        }
    }
}
