package dev.ttlstore.event;

import java.util.Objects;

/**
 * How much a {@link Watch} holds for its reader, and what it does when there is more.
 *
 * @param capacity the most changes that wait to be read, 1 to 1,000,000; room is taken as it is needed
 * @param overflow what happens to a change when that many wait
 */
public record WatchOptions(int capacity, Overflow overflow) {

    private static final int MAX_CAPACITY = 1_000_000;
    private static final WatchOptions DEFAULTS = new WatchOptions(1_024, Overflow.DROP_OLDEST);

    /**
     * Checks the options.
     *
     * @param capacity the most changes that wait to be read, 1 to 1,000,000
     * @param overflow what happens to a change when that many wait
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
     * What holds unless something else is asked for.
     *
     * @return a capacity of 1,024 and {@link Overflow#DROP_OLDEST}
     */
    public static WatchOptions defaults() {
        return DEFAULTS;
    }

    /**
     * The same options with another capacity.
     *
     * @param newCapacity the most changes that wait to be read, 1 to 1,000,000
     * @return the changed options
     * @throws IllegalArgumentException if {@code newCapacity} is not between 1 and 1,000,000
     */
    public WatchOptions withCapacity(int newCapacity) {
        return new WatchOptions(newCapacity, overflow);
    }

    /**
     * The same options with another way to treat what there is no room for.
     *
     * @param newOverflow what happens to a change when the buffer is full
     * @return the changed options
     * @throws NullPointerException if {@code newOverflow} is null
     */
    public WatchOptions withOverflow(Overflow newOverflow) {
        return new WatchOptions(capacity, newOverflow);
    }
}
