package dev.ttlstore.engine;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.CopySource.StoredDelivery;

/**
 * The data of a store into which another one is copied. From {@link #begin} to {@link #finish} they are marked, and {@link
 * EngineFactory#open} refuses them. Each call is one commit.
 */
public interface CopyTarget extends CopySource {

    /**
     * Returns of which store there is an unfinished copy.
     *
     * @return the {@linkplain CopySource#place place} of its source; null if there is no unfinished copy
     */
    @Nullable
    String unfinished();

    /**
     * Marks the data as an unfinished copy, and removes what an earlier attempt has copied, except for entries. Another process
     * that copies into the same data fails from now on.
     *
     * @param source the place of the source
     * @throws dev.ttlstore.exception.CopyTargetException if somebody else has filled the data since they were opened
     */
    void begin(String source);

    /**
     * Changes entries. They keep their versions and times.
     *
     * @param changes at most one for each row
     */
    void change(Collection<RowChange> changes);

    /**
     * Adds retained rows.
     *
     * @param rows the rows
     */
    void retain(Collection<Row> rows);

    /**
     * Adds subscribers.
     *
     * @param subscribers the subscribers
     */
    void subscribe(Collection<Subscriber> subscribers);

    /**
     * Adds deliveries, with new ids.
     *
     * @param deliveries the deliveries; those of one key in their order
     */
    void deliver(Collection<StoredDelivery> deliveries);

    /**
     * Makes a store of the copy, which continues after the source, and removes the mark.
     *
     * @param reached how far the source has come
     */
    void finish(HighWater reached);
}
