package dev.ttlstore.engine;

import java.util.Collection;
import java.util.Map;

/**
 * The data as one commit sees them: rows, the usage of namespaces, the time, and the sequence numbers for its changes. Used by
 * one thread.
 *
 * @since 0.1
 */
public interface EngineView {

    /**
     * Loads what a commit is decided from. An engine with several owners either locks it, or remembers it and checks before the
     * commit that it has not changed.
     *
     * @param keys the names of rows
     * @param namespaces the namespaces whose usage is needed
     * @return the rows that exist, live or expired, and the usage of each namespace
     */
    Loaded load(Collection<RowKey> keys, Collection<String> namespaces);

    /**
     * Returns the reads of the view. They judge rows by the time that they are asked for, and are not asked for {@link Reads#NOW}.
     *
     * @return reads that see the rows as {@link #load} does
     */
    Reads reads();

    /**
     * Returns the store's time, not before the time of the last {@link #load}.
     *
     * @return milliseconds since the epoch
     */
    long now();

    /**
     * Returns the sequence number of an event, which is also the version of a row that the event is about. A number is never
     * handed out twice, whatever becomes of the commit. If an engine hands it out before it holds a lock, and another process
     * then commits a higher number for the group or its namespace, the commit is a conflict. That holds for a number of a
     * validated snapshot too, and for a commit without changes, because a watch may begin at the number.
     *
     * @param group the full name of the group that the event is about
     * @return the number, higher than all numbers of earlier events of the group and of its namespace
     */
    long nextSequence(String group);

    /**
     * What a commit has loaded.
     *
     * @param rows the rows that exist, live or expired
     * @param usage the usage of the namespaces, before the writes of this commit
     */
    record Loaded(Map<RowKey, Row> rows, Map<String, NamespaceUsage> usage) {}
}
