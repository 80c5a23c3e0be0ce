package dev.ttlstore.engine;

/**
 * The usage of a namespace: its rows, including expired ones that were not removed yet. Valid until the commit that has loaded
 * it ends.
 */
public interface NamespaceUsage {

    /**
     * Counts the rows of the namespace.
     *
     * @return how many there are
     */
    long keys();

    /**
     * Counts the groups that have a row.
     *
     * @return how many there are
     */
    long groups();

    /**
     * Returns the size of the rows, as {@link Row#bytes()} counts it.
     *
     * @return the size in bytes
     */
    long bytes();

    /**
     * Counts the rows of a group.
     *
     * @param group the full name of a group of the namespace
     * @return how many there are
     */
    long rows(String group);
}
