package dev.ttlstore.internal.commit;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/**
 * What a mutation knows of its only row before it is loaded: how the caller has read it, or that it does not matter. An engine that
 * finds out whether that still holds when it commits may do without loading the row.
 *
 * @param key the name of the row
 * @param row the row as it was read; null if it was missing, or does not matter
 * @param overwrites whether it does not matter
 */
public record Premise(RowKey key, @Nullable Row row, boolean overwrites) {

    static Premise overwriting(RowKey key) {
        return new Premise(key, null, true);
    }

    /**
     * Supposes that a row is as it was read.
     *
     * @param key the name of the row
     * @param row the live row; null if there was none
     * @return the premise
     */
    public static Premise asRead(RowKey key, @Nullable Row row) {
        return new Premise(key, row, false);
    }
}
