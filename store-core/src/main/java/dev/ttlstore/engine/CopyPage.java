package dev.ttlstore.engine;

import java.util.List;

/**
 * Some of the rows that a store keeps, to copy them. All are of one kind.
 *
 * @param entries entries, live or expired, as changes: with what the target has before, and with nothing after to remove one
 * @param retained expired entries that were removed and are kept for a while
 * @param subscribers subscribers
 * @param deliveries deliveries, with dead letters; those of one key in their order
 * @since 0.1
 */
public record CopyPage(
        List<RowChange> entries, List<Row> retained, List<Subscriber> subscribers, List<StoredDelivery> deliveries) {

    /** The kinds of rows, in the order in which they are copied. */
    public enum Kind {
        /** Entries. */
        ENTRIES,
        /** Retained entries. */
        RETAINED,
        /** Subscribers, which all come in one page. */
        SUBSCRIBERS,
        /** Deliveries. */
        DELIVERIES
    }

    /**
     * A delivery as an engine keeps it.
     *
     * @param delivery the delivery; its id counts in its own store only
     * @param parked whether it waits for another delivery of its key, and so has no time of its own yet
     * @param value the value that the row had, as it was stored
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record StoredDelivery(Delivery delivery, boolean parked, byte[] value) {

        /** Returns a text without the key and the value, which may be secrets. */
        @Override
        public String toString() {
            return "StoredDelivery[" + delivery + ", parked=" + parked + ", bytes=" + value.length + "]";
        }
    }

    /**
     * Makes a page of entries as they are read.
     *
     * @param rows the rows
     * @return the page
     */
    public static CopyPage ofEntries(List<Row> rows) {
        return ofChanges(rows.stream().map(row -> new RowChange(null, row)).toList());
    }

    /**
     * Makes a page of changes of entries.
     *
     * @param changes at most one for each entry
     * @return the page
     */
    public static CopyPage ofChanges(List<RowChange> changes) {
        return new CopyPage(changes, List.of(), List.of(), List.of());
    }

    /**
     * Makes a page of retained entries.
     *
     * @param rows the rows
     * @return the page
     */
    public static CopyPage ofRetained(List<Row> rows) {
        return new CopyPage(List.of(), rows, List.of(), List.of());
    }

    /**
     * Makes a page of subscribers.
     *
     * @param subscribers the subscribers
     * @return the page
     */
    public static CopyPage ofSubscribers(List<Subscriber> subscribers) {
        return new CopyPage(List.of(), List.of(), subscribers, List.of());
    }

    /**
     * Makes a page of deliveries.
     *
     * @param deliveries the deliveries
     * @return the page
     */
    public static CopyPage ofDeliveries(List<StoredDelivery> deliveries) {
        return new CopyPage(List.of(), List.of(), List.of(), deliveries);
    }

    /**
     * Tests whether there are no rows.
     *
     * @return true at the end of a kind
     */
    public boolean isEmpty() {
        return entries.isEmpty() && retained.isEmpty() && subscribers.isEmpty() && deliveries.isEmpty();
    }

    /**
     * Returns the place of the last row: the name of an entry, the expiry of a retained one, and the id of a delivery in place of a
     * version.
     *
     * @return the place after which the next page starts
     */
    public Place last() {
        if (!entries.isEmpty()) {
            return new Place(0, entries.get(entries.size() - 1).key(), 0);
        }
        if (!retained.isEmpty()) {
            return Place.ofExpiry(retained.get(retained.size() - 1));
        }
        if (!deliveries.isEmpty()) {
            Delivery last = deliveries.get(deliveries.size() - 1).delivery();
            return new Place(0, last.key(), last.id());
        }
        return Place.END;
    }
}
