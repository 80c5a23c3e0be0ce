package dev.ttlstore.expiry;

import java.util.stream.Stream;

/** The dead letters of a subscriber. Thread-safe. */
public interface DeadLetters {

    /**
     * Lists them, the oldest first. They are read as the stream is, so it shows what comes to be or goes meanwhile.
     *
     * @return the dead letters
     */
    Stream<DeadLetter> stream();

    /**
     * Counts them.
     *
     * @return how many there are
     */
    long count();

    /**
     * Has one handled again, as often as an expiry is tried at first.
     *
     * @param id which
     * @return false if there is no such dead letter of this subscriber any more
     */
    boolean retry(long id);

    /**
     * Has all of them handled again.
     *
     * @return how many there were
     */
    long retryAll();

    /**
     * Forgets one.
     *
     * @param id which
     * @return false if there is no such dead letter of this subscriber any more
     */
    boolean discard(long id);

    /**
     * Forgets all of them.
     *
     * @return how many there were
     */
    long discardAll();
}
