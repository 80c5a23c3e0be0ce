package dev.ttlstore.engine;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The data of a store as they are stored, opened to be copied and not to be used. Pages come in the order that is cheapest for
 * the engine, each row once, and are short enough for the memory. Used by one thread.
 */
public interface CopySource extends AutoCloseable {

    /**
     * Describes where the data are, always in the same words, so that it is known which store an unfinished copy is of.
     *
     * @return a text for people, without a password
     */
    String place();

    /**
     * Returns how many other processes have the data open, as far as that is known.
     *
     * @return the number; 0 if this process owns the data
     */
    int others();

    /**
     * Returns a text that is another one after each commit of another process.
     *
     * @return the text; always the same if this process owns the data
     */
    String state();

    /**
     * Returns how far the store has come.
     *
     * @return the highest sequence number that may have been used, and the time
     */
    HighWater reached();

    /**
     * Counts the rows.
     *
     * @return the numbers
     */
    StoredCounts counts();

    /**
     * Reads a page of entries, live or expired.
     *
     * @param after the last row of the page before; null for the first page
     * @return the rows; empty at the end
     */
    List<Row> entries(@Nullable Row after);

    /**
     * Reads some entries, live or expired.
     *
     * @param keys their names
     * @return those that exist
     */
    Map<RowKey, Row> find(Collection<RowKey> keys);

    /**
     * Reads a page of retained rows.
     *
     * @param after the last row of the page before; null for the first page
     * @return the rows; empty at the end
     */
    List<Row> retained(@Nullable Row after);

    /**
     * Lists the subscribers.
     *
     * @return all of them
     */
    List<Subscriber> subscribers();

    /**
     * Reads a page of deliveries. Those of one key come in the order of their ids.
     *
     * @param after the last delivery of the page before; null for the first page
     * @return the deliveries; empty at the end
     */
    List<StoredDelivery> deliveries(@Nullable StoredDelivery after);

    @Override
    void close();

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

    /**
     * A delivery as an engine keeps it, to copy it.
     *
     * @param delivery the delivery; its id counts in its own store only
     * @param parked whether it waits for another delivery of its key, and so has no time of its own yet
     * @param value the value that the row had, as it was stored
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record StoredDelivery(Delivery delivery, boolean parked, byte[] value) {

        /** Returns a text without the key and the value, which may be secrets. */
        @Override
        public String toString() {
            return "StoredDelivery[" + delivery + ", parked=" + parked + ", bytes=" + value.length + "]";
        }
    }
}
