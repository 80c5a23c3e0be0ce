package dev.ttlstore.contract.model;

import java.time.Duration;
import java.time.Instant;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.Transaction;

/** Where a run takes place: a store and its clock. */
public interface Place {

    /** The store, which is another once it has been reopened. */
    Store store();

    /** What the clock of the store shows. */
    Instant clock();

    /** Moves the clock, backwards if the duration is negative. */
    void moveClock(Duration duration);

    /** Closes the store and opens it again, if its data last; does nothing otherwise. */
    void reopen();

    /** Whether one process owns the data, so that numbers rise across the whole store. */
    default boolean isExclusive() {
        return true;
    }

    /** A group at this place. */
    default TextGroup group(String name) {
        return store().group(name);
    }

    /** This place, with its groups within a transaction. */
    default Place within(Transaction tx) {
        Place outside = this;
        return new Place() {
            @Override
            public Store store() {
                return outside.store();
            }

            @Override
            public Instant clock() {
                return outside.clock();
            }

            @Override
            public void moveClock(Duration duration) {
                outside.moveClock(duration);
            }

            @Override
            public void reopen() {
                throw new IllegalStateException("A transaction is running");
            }

            @Override
            public TextGroup group(String name) {
                return tx.group(name);
            }
        };
    }
}
