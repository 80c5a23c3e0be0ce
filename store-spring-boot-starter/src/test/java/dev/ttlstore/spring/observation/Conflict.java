package dev.ttlstore.spring.observation;

import dev.ttlstore.exception.TransactionConflictException;

/** A conflict, which a store in memory does not have. */
final class Conflict {

    private Conflict() {}

    static TransactionConflictException of(String value) {
        return new TransactionConflictException(value, new IllegalStateException(value));
    }
}
