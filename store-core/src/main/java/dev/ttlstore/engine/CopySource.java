package dev.ttlstore.engine;

import java.util.Collection;
import java.util.Map;

import dev.ttlstore.engine.CopyPage.Kind;

/**
 * The data of a store as they are stored, opened to be copied and not to be used. Pages come in the order that is cheapest for
 * the engine, each row once, and are short enough for the memory. Used by one thread.
 *
 * @since 0.1
 */
public interface CopySource extends AutoCloseable {

    /**
     * Describes where the data are, always in the same words, so that it is known which store an unfinished copy is of.
     *
     * @return a text for people, without a password
     */
    String place();

    /**
     * Returns what other processes and the store itself have done.
     *
     * @return the state of this moment
     */
    Activity activity();

    /**
     * Counts the rows.
     *
     * @return the numbers
     */
    StoredCounts counts();

    /**
     * Reads a page.
     *
     * @param kind the kind of rows
     * @param after the {@linkplain CopyPage#last end} of the page before; {@link Place#START} for the first page
     * @return the rows; deliveries of one key in the order of their ids. Empty at the end
     */
    CopyPage page(Kind kind, Place after);

    /**
     * Reads some entries, live or expired.
     *
     * @param keys their names
     * @return those that exist
     */
    Map<RowKey, Row> find(Collection<RowKey> keys);

    @Override
    void close();

    /**
     * What has been done to the data.
     *
     * @param others how many other processes have the data open, as far as that is known; 0 if this process owns the data
     * @param state a text that is another one after each commit of another process; always the same if this process owns the data
     * @param reached how far the store has come: the highest sequence number that may have been used, and the time
     */
    record Activity(int others, String state, HighWater reached) {}

    /**
     * How many rows of each kind a store keeps.
     *
     * @param entries the number of entries, live or expired
     * @param retained the number of expired entries that were removed and are kept for a while
     * @param subscribers the number of subscribers
     * @param deliveries the number of deliveries, with dead letters
     */
    record StoredCounts(long entries, long retained, long subscribers, long deliveries) {

        /**
         * Returns the sum.
         *
         * @return how many rows there are
         */
        public long total() {
            return entries + retained + subscribers + deliveries;
        }
    }
}
