package dev.ttlstore.expiry;

/**
 * What is to be done when an entry has expired. It is called at least once for each: once as a rule, and again when it has
 * thrown, or when the process ended between its return and the note of it. So doing it twice must harm nothing; the entry's
 * version tells the same expiry from another.
 *
 * <p>It is called by threads of the store's own, for several entries at once, but for one key after the other. It may use the
 * store.
 *
 * @param <V> the type of the values
 */
@FunctionalInterface
public interface ExpiryHandler<V> {

    /**
     * Handles an expiry. When it returns, the expiry is done with.
     *
     * @param entry what has expired
     * @throws Exception if it could not be handled: it is tried again later, and in the end set aside as a dead letter
     */
    void handle(ExpiredEntry<V> entry) throws Exception;
}
