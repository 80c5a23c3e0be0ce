package dev.ttlstore.engine;

/**
 * The name of a row.
 *
 * @param group the full group name, which starts with the namespace if there is one
 * @param key the key within the group
 */
public record RowKey(String group, String key) {

    /** Returns only the group, because the key may be a secret. */
    @Override
    public String toString() {
        return "RowKey[group=" + group + "]";
    }
}
