package dev.ttlstore.jcache;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;

import org.jspecify.annotations.Nullable;

/**
 * Runs entry processors.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class EntryProcessors<K, V> {

    private final AtomicChanges<K, V> changes;
    private final Loading<K, V> loading;
    private final CacheStatistics statistics;
    private final Consumer<Object> checkValue;

    EntryProcessors(
            AtomicChanges<K, V> changes,
            Loading<K, V> loading,
            CacheStatistics statistics,
            Consumer<Object> checkValue) {
        this.changes = changes;
        this.loading = loading;
        this.statistics = statistics;
        this.checkValue = checkValue;
    }

    <T> @Nullable T invoke(K key, EntryProcessor<K, V, T> processor, Object... arguments) {
        long start = System.nanoTime();
        AtomicChanges.Applied<K, V, Result<T>> applied = changes.apply(key, row -> {
            ProcessorEntry<K, V> entry = new ProcessorEntry<>(key, row, loading, checkValue);
            T answer = process(processor, entry, arguments);
            return entry.action(new Result<>(row != null, answer));
        });
        statistics.got(applied.answer().hit(), start);
        statistics.changed(applied.change(), start);
        return applied.answer().value();
    }

    private static <K, V, T> @Nullable T process(
            EntryProcessor<K, V, T> processor, ProcessorEntry<K, V> entry, Object... arguments) {
        try {
            return processor.process(entry, arguments);
        } catch (EntryProcessorException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new EntryProcessorException("The entry processor threw an exception, so nothing was changed", e);
        }
    }

    <T> Map<K, EntryProcessorResult<T>> invokeAll(
            Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
        Map<K, EntryProcessorResult<T>> results = new HashMap<>();
        for (K key : keys) {
            try {
                T answer = invoke(key, processor, arguments);
                if (answer != null) {
                    results.put(key, () -> answer);
                }
            } catch (EntryProcessorException e) {
                results.put(key, () -> {
                    throw e;
                });
            }
        }
        return results;
    }

    /**
     * What a processor did.
     *
     * @param hit whether there was an entry
     * @param value what the processor returned
     */
    private record Result<T>(boolean hit, @Nullable T value) {}
}
