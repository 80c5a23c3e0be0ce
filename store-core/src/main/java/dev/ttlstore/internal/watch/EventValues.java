package dev.ttlstore.internal.watch;

/** The values of events, which only those receivers get that have asked for them. Thread-safe. */
public interface EventValues {

    /**
     * Tests whether the events of a group have their values for all receivers.
     *
     * @param group the full group name
     * @return whether its settings say so
     */
    boolean isForAll(String group);

    /**
     * Converts a stored value to what receivers get.
     *
     * @param group the full group name
     * @param key the key of the entry
     * @param stored the stored bytes
     * @return the value as the group's codec has encoded it
     * @throws RuntimeException if the stored bytes cannot be read
     */
    byte[] open(String group, String key, byte[] stored);
}
