package dev.ttlstore.expiry;

import java.util.stream.Stream;

/**
 * The dead letters of a subscriber. Thread-safe.
 *
 * <pre>{@code
 * DeadLetters letters = store.deadLetters("invitation-mail");
 * long retried = letters.retryAll();
 * }</pre>
 *
 * @since 0.1
 * @see dev.ttlstore.ExpiryEvents#deadLetters
 * @see DeadLetter
 */
public interface DeadLetters {

    /**
     * Returns the dead letters, the oldest first. The stream reads lazily, so it shows dead letters that are added or
     * removed meanwhile.
     *
     * @return the dead letters
     */
    Stream<DeadLetter> stream();

    /**
     * Counts the dead letters.
     *
     * @return how many there are
     */
    long count();

    /**
     * Retries a dead letter, with as many attempts as a new expiry.
     *
     * @param id the id of the dead letter
     * @return false if this subscriber no longer has such a dead letter
     */
    boolean retry(long id);

    /**
     * Retries all dead letters.
     *
     * @return how many there were
     */
    long retryAll();

    /**
     * Discards a dead letter.
     *
     * @param id the id of the dead letter
     * @return false if this subscriber no longer has such a dead letter
     */
    boolean discard(long id);

    /**
     * Discards all dead letters.
     *
     * @return how many there were
     */
    long discardAll();
}
