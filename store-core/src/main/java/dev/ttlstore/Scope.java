package dev.ttlstore;

/**
 * The part of a store that belongs to a namespace, such as a tenant or a module. A scope cannot see, count or change
 * anything outside its namespace. In the store, a group of a scope is called {@code namespace:group}. In the scope and
 * its events, it has its own name without the namespace. Thread-safe.
 *
 * <pre>{@code
 * Scope acme = store.scope("acme", new Quota(10_000, 0, 0));
 * acme.group("config").put("theme", "dark"); // "acme:config" in the store
 * long entries = acme.usage().keys();
 * }</pre>
 *
 * @since 0.1
 * @see Store#scope(String)
 * @see Quota
 * @see Usage
 */
public interface Scope extends LiveKeyspace {

    /**
     * Returns the namespace.
     *
     * @return its name
     */
    String namespace();

    /**
     * Returns the quota of the namespace.
     *
     * @return the quota that was set last; {@link Quota#UNLIMITED} if none was
     */
    Quota quota();

    /**
     * Returns the amounts that the live entries of the namespace use.
     *
     * @return the usage, exact as of one moment
     */
    Usage usage();

    /**
     * Removes all data of the namespace, for example when a tenant leaves. It removes entries, retained entries, and
     * the expiries that wait for a subscriber or are dead letters, including those of the store's subscribers. {@link
     * #deletePrefix} removes only the entries.
     *
     * <p>Deletes the entries in one commit, as {@code deletePrefix("")} does, and the rest in small commits, so others
     * can write meanwhile. If this method throws, call it again. Stop writing to the scope first, because later writes
     * may stay. Handlers may run for expired entries until this method returns. Subscribers and the quota stay. This
     * method takes part in no transaction.
     */
    void erase();
}
