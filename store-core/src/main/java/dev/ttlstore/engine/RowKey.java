package dev.ttlstore.engine;

/**
 * The name of a row.
 *
 * @param group the full group name, with the namespace before it where there is one
 * @param key the key within the group
 */
public record RowKey(String group, String key) {

    /** Tells the group alone: the key may be a secret. */
    @Override
    public String toString() {
        return "RowKey[group=" + group + "]";
    }
}
