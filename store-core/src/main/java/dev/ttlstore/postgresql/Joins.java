package dev.ttlstore.postgresql;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.OuterTransaction;
import dev.ttlstore.engine.OuterTransactions;
import dev.ttlstore.transaction.ApplicationTransaction;
import dev.ttlstore.transaction.ApplicationTransactions;
import dev.ttlstore.transaction.TransactionParticipant;

/** The transactions of the application in which the store takes part. Thread-safe. */
final class Joins implements OuterTransactions {

    private final Parts parts;
    private final Looks looks;
    private final ApplicationTransactions transactions;
    private final Consumer<List<LogRow>> committed;

    /**
     * Negative, so that no entry ever has such a number, and from a place of this node's own, so that two transactions hardly show
     * the same ones.
     */
    private final AtomicLong provisionalNumbers;

    /**
     * Prepares to take part.
     *
     * @param parts what all commits share
     * @param looks makes times final that a transaction has shown
     * @param transactions tells which transaction a thread is in
     * @param committed gets what a transaction has added to the log, if it was or may have been committed
     */
    Joins(Parts parts, Looks looks, ApplicationTransactions transactions, Consumer<List<LogRow>> committed) {
        this.parts = parts;
        this.looks = looks;
        this.transactions = transactions;
        this.committed = committed;
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

    Parts parts() {
        return parts;
    }

    Looks looks() {
        return looks;
    }

    long provisionalNumber() {
        return provisionalNumbers.getAndIncrement();
    }

    /** Notes the end of a transaction that was committed, or may have been. */
    void committed(List<LogRow> rows) {
        committed.accept(rows);
    }
}
