package dev.ttlstore.jcache;

import org.jspecify.annotations.Nullable;

/**
 * The result of a step.
 *
 * @param answer the answer to the caller
 * @param change what has changed; null if nothing has
 * @param <K> the type of the key
 * @param <V> the type of the value
 * @param <R> the type of the answer
 */
record Applied<K, V, R>(R answer, @Nullable Change<K, V> change) {

    boolean changed() {
        return change != null;
    }
}
