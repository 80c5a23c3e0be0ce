package dev.ttlstore.internal.store;

import dev.ttlstore.Transaction;
import dev.ttlstore.internal.access.TransactionAccess;

/** A transaction on a store or a scope. */
final class DefaultTransaction extends AbstractKeyspace implements Transaction {

    DefaultTransaction(TransactionAccess access, String prefix) {
        super(access, prefix);
    }
}
