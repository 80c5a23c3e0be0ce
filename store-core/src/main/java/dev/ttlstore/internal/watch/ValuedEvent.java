package dev.ttlstore.internal.watch;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;

/**
 * An event as it was committed, with the stored value if anybody has asked for values. The value is opened for the first
 * receiver that gets it. Used by one thread.
 */
final class ValuedEvent {

    private static final Logger log = LoggerFactory.getLogger(ValuedEvent.class);

    private final StoreEvent event;
    private final StoreEvent plain;
    private final EventValues values;
    private final Runnable onError;
    private @Nullable StoreEvent opened;

    /** The size of the opened value. */
    private int openedBytes;

    /**
     * Creates the event for its receivers.
     *
     * @param event the event with the stored value
     * @param values opens the value
     * @param onError called if that has failed with an error, after it was logged
     */
    ValuedEvent(StoreEvent event, EventValues values, Runnable onError) {
        this.event = event;
        this.values = values;
        this.onError = onError;
        this.plain = event instanceof EntryPut put ? put.withValue(null) : event;
    }

    /** Returns the event without a value. */
    StoreEvent plain() {
        return plain;
    }

    /** Returns the event for a receiver that takes it, and has asked for values or has not. */
    StoreEvent forReceiver(boolean wantsValues) {
        return wantsValues || values.isForAll(event.group()) ? opened() : plain;
    }

    /** Returns the size of the value in what a receiver got. */
    long valueBytes(StoreEvent received) {
        return received == plain ? 0 : openedBytes;
    }

    private StoreEvent opened() {
        StoreEvent result = opened;
        if (result == null) {
            result = event instanceof EntryPut put ? open(put) : event;
            opened = result;
        }
        return result;
    }

    private StoreEvent open(EntryPut put) {
        byte[] stored = put.value();
        if (stored == null) {
            return put;
        }
        try {
            byte[] value = values.opening().open(put.group(), put.key(), stored);
            openedBytes = value.length;
            return put.withValue(value);
        } catch (RuntimeException | Error e) { // whatever the failure, the write is committed
            SafeLog.ofApplication(
                            log,
                            "The value of event " + put.sequence() + " in group '" + put.group()
                                    + "' cannot be read, so the event is published without it")
                    .warn(e);
            if (e instanceof Error) {
                onError.run();
            }
            return plain;
        }
    }
}
