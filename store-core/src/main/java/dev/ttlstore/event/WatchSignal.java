package dev.ttlstore.event;

import java.util.Objects;

/**
 * A signal from a {@link Watch}: a change, or a gap of dropped changes. A watch may start with the existing entries.
 * Signals are immutable. Changes are ordered by their sequence.
 *
 * <pre>{@code
 * void show(WatchSignal signal) {
 *     if (signal instanceof WatchSignal.Change change) {
 *         log.info("{}", change.event());
 *     } else if (signal instanceof WatchSignal.Existing existing) {
 *         log.info("{} was there before", existing.entry().key());
 *     } else if (signal instanceof WatchSignal.Gap gap) {
 *         log.warn("{} changes were dropped", gap.missed());
 *     }
 * }
 * }</pre>
 *
 * @since 0.1
 * @see Watch
 * @see StoreEvent
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
     * An entry that was live when the watch was opened, under {@link WatchOptions#withExisting()}. Entries come in the
     * order of their keys, so no watch can {@linkplain WatchOptions#resumingAfter resume} after one of them.
     *
     * @param entry the put that has made the entry: its sequence is the version, its timestamp the time of the put
     */
    record Existing(EntryPut entry) implements WatchSignal {

        /**
         * Checks the signal.
         *
         * @param entry the put that has made the entry
         * @throws NullPointerException if {@code entry} is null
         */
        public Existing {
            Objects.requireNonNull(entry, "'entry' must not be null");
        }
    }

    /**
     * The end of the existing entries. What follows are changes since the watch was opened. Another watch may {@linkplain
     * WatchOptions#resumingAfter resume} here.
     *
     * @param sequence a number between those of the changes before the watch was opened and those of the changes that
     *     follow
     */
    record UpToDate(long sequence) implements WatchSignal {}

    /**
     * Changes that were dropped between the signal before this one and the change after it. A reader that follows the
     * state of entries must read those entries again.
     *
     * @param fromSequence the {@linkplain StoreEvent#sequence() sequence} of the first dropped change; in a gap with
     *     which a resumed watch starts, one more than the sequence passed to {@link WatchOptions#resumingAfter}
     * @param missed how many changes that match the watch were dropped, at least one. The number is one if the true
     *     number is unknown: because changes of other processes never arrived, because there was no memory, or because
     *     the store no longer has all changes after the sequence at which the watch resumes
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
