package dev.ttlstore.expiry;

/**
 * Handles expired entries. The store calls it at least once for each expiry. It calls the handler again if the handler
 * has thrown, or if the process ended before the store could record that the call had returned. Handlers must be
 * idempotent; the entry's version identifies the expiry.
 *
 * <pre>{@code
 * record Invite(String mail) {}
 *
 * ExpiryHandler<Invite> handler = invite -> log.info("Remind {}", invite.value().mail());
 * store.onExpired("invitation-mail", "invites", Invite.class, handler);
 * }</pre>
 *
 * <p>Threads of the store call the handler, for several entries at once, but for each key one after the other. It may
 * use the store.
 *
 * @param <V> the type of the values
 * @since 0.1
 * @see dev.ttlstore.ExpiryEvents
 * @see ExpiredEntry
 * @see ExpirySettings
 * @see DeadLetters
 */
@FunctionalInterface
public interface ExpiryHandler<V> {

    /**
     * Handles an expiry. It is done when this method returns.
     *
     * @param entry the expired entry
     * @throws Exception if it could not be handled: the store retries it later, and after the last attempt keeps it as
     *     a dead letter
     */
    void handle(ExpiredEntry<V> entry) throws Exception;
}
