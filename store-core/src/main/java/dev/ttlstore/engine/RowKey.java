package dev.ttlstore.engine;

import java.util.Comparator;

/**
 * The name of a row.
 *
 * @param group the full group name, which starts with the namespace if there is one
 * @param key the key within the group
 * @since 0.1
 */
public record RowKey(String group, String key) {

    /** By group, then by key, each by its UTF-8 bytes. */
    public static final Comparator<RowKey> ORDER =
            Comparator.comparing(RowKey::group, Utf8.ORDER).thenComparing(RowKey::key, Utf8.ORDER);

    /** Returns only the group, because the key may be a secret. */
    @Override
    public String toString() {
        return "RowKey[group=" + group + "]";
    }
}
