package dev.ttlstore.engine;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The write side of an engine, within one transaction. */
public interface EngineTransaction {

    /**
     * Loads the rows that stand under some keys, expired or not.
     *
     * @param keys the rows wanted
     * @return those that exist
     */
    Map<RowKey, Row> load(Collection<RowKey> keys);

    /**
     * Stores what a commit has decided.
     *
     * @param changes at most one for each row
     */
    void store(Collection<RowChange> changes);

    /**
     * Removes expired rows, those that expired first before others.
     *
     * @param now the time to judge expiry by
     * @param limit how many at most
     * @return what was removed, in order of expiry; fewer than {@code limit} when none is left
     */
    List<ExpiredRow> removeExpired(long now, int limit);

    /**
     * Removes the expired rows of a group.
     *
     * @param group the full group name
     * @param now the time to judge expiry by
     * @return what was removed, in order of expiry
     */
    List<ExpiredRow> removeExpired(String group, long now);

    /**
     * Removes all rows of a group.
     *
     * @param group the full group name
     * @return how many there were
     */
    long removeGroup(String group);

    /**
     * Keeps how far the store has come.
     *
     * @param mark what {@link Engine#mark()} should answer from the commit on
     */
    void save(Mark mark);
}
