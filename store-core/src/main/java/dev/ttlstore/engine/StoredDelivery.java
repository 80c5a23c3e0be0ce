package dev.ttlstore.engine;

/**
 * A delivery as an engine keeps it, to copy it.
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
