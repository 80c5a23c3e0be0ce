package dev.ttlstore.event;

import java.util.Objects;

/**
 * What a {@link Watch} tells: a change, or that changes have been missed. Signals are immutable, and come in the order of
 * the sequence of what they are about.
 */
public sealed interface WatchSignal {

    /**
     * A change.
     *
     * @param event what has happened
     */
    record Change(StoreEvent event) implements WatchSignal {

        /**
         * Checks the signal.
         *
         * @param event what has happened
         * @throws NullPointerException if {@code event} is null
         */
        public Change {
            Objects.requireNonNull(event, "'event' must not be null");
        }
    }

    /**
     * Changes have been missed here: they came after all that was told before this signal, and before the next change that
     * is told. They cannot be had any more; who follows the state of entries reads those entries anew.
     *
     * @param fromSequence the {@linkplain StoreEvent#sequence() sequence} of the first change that was missed
     * @param missed how many were missed, one at least; only changes that the watch looks out for are counted
     */
    record Gap(long fromSequence, long missed) implements WatchSignal {

        /**
         * Checks the signal.
         *
         * @param fromSequence the sequence of the first change that was missed
         * @param missed how many were missed, one at least
         * @throws IllegalArgumentException if {@code missed} is less than one
         */
        public Gap {
            if (missed < 1) {
                throw new IllegalArgumentException("'missed' must be one or more, but is " + missed);
            }
        }
    }
}
