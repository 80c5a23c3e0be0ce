package dev.ttlstore.internal.watch;

import java.util.Set;

/**
 * The values of events, which only those receivers get that have asked for them. Thread-safe.
 *
 * @param forAll the full names of the groups whose events have their values for all receivers, as their settings say
 * @param opening converts stored values
 */
public record EventValues(Set<String> forAll, ValueOpener opening) {

    /** Converts stored values to what receivers get. */
    public interface ValueOpener {

        /**
         * Converts a value.
         *
         * @param group the full group name
         * @param key the key of the entry
         * @param stored the stored bytes
         * @return the value as the group's codec has encoded it
         * @throws RuntimeException if the stored bytes cannot be read
         */
        byte[] open(String group, String key, byte[] stored);
    }

    /** Tests whether the events of a group have their values for all receivers. */
    boolean isForAll(String group) {
        return !forAll.isEmpty() && forAll.contains(group); // asked for each put
    }
}
