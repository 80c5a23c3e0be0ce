package dev.ttlstore;

/**
 * The part of a store that belongs to a namespace, such as a tenant or a module. A scope cannot see, count or change
 * anything outside of its namespace. The store knows a group of a scope as {@code namespace:group}. Within the scope,
 * also in its events, the group has its own name. Thread-safe.
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
     * Removes all data of the namespace, for example when a tenant leaves: its entries, its retained entries, and the expiries that
     * wait for a subscriber or are dead letters, also those of the store's own subscribers. {@link #deletePrefix} removes only the
     * entries.
     *
     * <p>The entries are deleted in one commit, as {@code deletePrefix("")} does. The rest follows in small commits, so others can write
     * meanwhile. If this method throws, call it again. Stop writing to the scope before: what is written meanwhile may stay. Handlers
     * may be called for expired entries until this method returns. Subscribers and the quota stay. Belongs to no transaction.
     */
    void erase();
}
