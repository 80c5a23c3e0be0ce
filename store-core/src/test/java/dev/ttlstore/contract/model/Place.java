package dev.ttlstore.contract.model;

import java.time.Duration;
import java.time.Instant;

import dev.ttlstore.Store;

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
}
