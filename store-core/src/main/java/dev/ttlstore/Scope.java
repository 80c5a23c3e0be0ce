package dev.ttlstore;

/**
 * The part of a store that belongs to a namespace, such as a tenant or a module. A scope cannot see, count or change
 * anything outside of its namespace. The store knows a group of a scope as {@code namespace:group}. Within the scope,
 * also in its events, the group has its own name. Thread-safe.
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
}
