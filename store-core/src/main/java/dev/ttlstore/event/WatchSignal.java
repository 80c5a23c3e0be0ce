package dev.ttlstore.event;

import java.util.Objects;

/**
 * A signal from a {@link Watch}: a change, or a gap of dropped changes. Signals are immutable, and ordered by the
 * sequence of their changes.
 */
public sealed interface WatchSignal {

    /**
     * A change.
     *
     * @param event the change
     */
    record Change(StoreEvent event) implements WatchSignal {

        /**
         * Checks the signal.
         *
         * @param event the change
         * @throws NullPointerException if {@code event} is null
         */
        public Change {
            Objects.requireNonNull(event, "'event' must not be null");
        }
    }

    /**
     * Dropped changes. They came after everything before this signal, and before the next change. They are no longer
     * available, so a reader that follows the state of entries reads those entries again.
     *
     * @param fromSequence the {@linkplain StoreEvent#sequence() sequence} of the first dropped change
     * @param missed how many changes were dropped, at least one; only changes that match the watch count. One, which may stand for
     *     any number, if changes of other processes never arrived
     */
    record Gap(long fromSequence, long missed) implements WatchSignal {

        /**
         * Checks the signal.
         *
         * @param fromSequence the sequence of the first dropped change
         * @param missed how many changes were dropped, at least one
         * @throws IllegalArgumentException if {@code missed} is less than one
         */
        public Gap {
            if (missed < 1) {
                throw new IllegalArgumentException("'missed' must be one or more, but is " + missed);
            }
        }
    }
}
