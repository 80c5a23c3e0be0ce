package dev.ttlstore.event;

import java.util.Objects;

/**
 * The buffer of a {@link Watch}: its capacity, and what happens if it is full.
 *
 * @param capacity how many unread changes the buffer holds at most, 1 to 1,000,000; memory is allocated as needed
 * @param overflow what happens to a change if the buffer is full
 */
public record WatchOptions(int capacity, Overflow overflow) {

    private static final int MAX_CAPACITY = 1_000_000;
    private static final WatchOptions DEFAULTS = new WatchOptions(1_024, Overflow.DROP_OLDEST);

    /**
     * Checks the options.
     *
     * @param capacity how many unread changes the buffer holds at most, 1 to 1,000,000
     * @param overflow what happens to a change if the buffer is full
     * @throws IllegalArgumentException if {@code capacity} is not between 1 and 1,000,000
     * @throws NullPointerException if {@code overflow} is null
     */
    public WatchOptions {
        if (capacity < 1 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException("'capacity' must be between 1 and 1,000,000, but is " + capacity);
        }
        Objects.requireNonNull(overflow, "'overflow' must not be null");
    }

    /**
     * Returns the default options.
     *
     * @return a capacity of 1,024 and {@link Overflow#DROP_OLDEST}
     */
    public static WatchOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Returns the same options with another capacity.
     *
     * @param newCapacity how many unread changes the buffer holds at most, 1 to 1,000,000
     * @return the changed options
     * @throws IllegalArgumentException if {@code newCapacity} is not between 1 and 1,000,000
     */
    public WatchOptions withCapacity(int newCapacity) {
        return new WatchOptions(newCapacity, overflow);
    }

    /**
     * Returns the same options with another overflow policy.
     *
     * @param newOverflow what happens to a change if the buffer is full
     * @return the changed options
     * @throws NullPointerException if {@code newOverflow} is null
     */
    public WatchOptions withOverflow(Overflow newOverflow) {
        return new WatchOptions(capacity, newOverflow);
    }
}
