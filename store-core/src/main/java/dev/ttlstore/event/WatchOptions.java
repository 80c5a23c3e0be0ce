package dev.ttlstore.event;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link Watch} watches, where it starts, and its buffer.
 *
 * <pre>{@code
 * Watch watch = store.watch(WatchOptions.defaults().ofGroup("invites").withExisting());
 * }</pre>
 *
 * @param capacity how many unread changes the buffer holds at most, 1 to 1,000,000; memory is allocated as needed. Changes with
 *     values or long keys may fill it earlier: their memory is bounded by 16 MiB, or 512 bytes for each change if that is more
 * @param overflow what happens to a change if the buffer is full
 * @param group the group to watch, by the name that the store or scope has for it; null for all
 * @param key the entry to watch, in the group or in all groups; null for all
 * @param keyPrefix the prefix of the keys to watch, in the group or in all groups; null for all keys
 * @param values whether an {@link EntryPut} has its value
 * @param existing whether the watch starts with the entries that are live when it is opened
 * @param resumeAfter the sequence after which the watch starts; null to start with later changes
 * @since 0.1
 * @see Watch
 * @see Overflow
 * @see dev.ttlstore.LiveKeyspace#watch(WatchOptions)
 */
public record WatchOptions(
        int capacity,
        Overflow overflow,
        @Nullable String group,
        @Nullable String key,
        @Nullable String keyPrefix,
        boolean values,
        boolean existing,
        @Nullable Long resumeAfter) {

    private static final int MAX_CAPACITY = 1_000_000;
    private static final WatchOptions DEFAULTS = new WatchOptions(1_024, Overflow.DROP_OLDEST);

    /**
     * Checks the options.
     *
     * @param capacity how many unread changes the buffer holds at most, 1 to 1,000,000
     * @param overflow what happens to a change if the buffer is full
     * @param group the group to watch; null for all
     * @param key the entry to watch; null for all
     * @param keyPrefix the prefix of the keys to watch; null for all
     * @param values whether an {@link EntryPut} has its value
     * @param existing whether the watch starts with the live entries
     * @param resumeAfter the sequence after which the watch starts; null to start with later changes
     * @throws IllegalArgumentException if {@code capacity} is not between 1 and 1,000,000, if both a key and a prefix
     *     are given, or if the watch is to start with the live entries and also after a sequence
     * @throws NullPointerException if {@code overflow} is null
     */
    public WatchOptions {
        if (capacity < 1 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException("'capacity' must be between 1 and 1,000,000, but is " + capacity);
        }
        Objects.requireNonNull(overflow, "'overflow' must not be null");
        if (key != null && keyPrefix != null) {
            throw new IllegalArgumentException("'key' and 'keyPrefix' exclude each other; give one of them");
        }
        if (existing && resumeAfter != null) {
            throw new IllegalArgumentException(
                    "'existing' and 'resumeAfter' exclude each other; to read all entries again, do not resume");
        }
    }

    /**
     * Creates options for a watch on all later changes.
     *
     * @param capacity how many unread changes the buffer holds at most, 1 to 1,000,000
     * @param overflow what happens to a change if the buffer is full
     * @throws IllegalArgumentException if {@code capacity} is not between 1 and 1,000,000
     * @throws NullPointerException if {@code overflow} is null
     */
    public WatchOptions(int capacity, Overflow overflow) {
        this(capacity, overflow, null, null, null, false, false, null);
    }

    /** {@return the default options: all later changes, a capacity of 1,024 and {@link Overflow#DROP_OLDEST}} */
    public static WatchOptions defaults() {
        return DEFAULTS;
    }

    /**
     * {@return the same options with another capacity}
     *
     * @param newCapacity how many unread changes the buffer holds at most, 1 to 1,000,000
     * @throws IllegalArgumentException if {@code capacity} is not between 1 and 1,000,000
     */
    public WatchOptions withCapacity(int newCapacity) {
        return new WatchOptions(newCapacity, overflow, group, key, keyPrefix, values, existing, resumeAfter);
    }

    /**
     * {@return the same options with another overflow policy}
     *
     * @param newOverflow what happens to a change if the buffer is full
     * @throws NullPointerException if {@code newOverflow} is null
     */
    public WatchOptions withOverflow(Overflow newOverflow) {
        return new WatchOptions(capacity, newOverflow, group, key, keyPrefix, values, existing, resumeAfter);
    }

    /**
     * {@return the same options for the changes of one group}
     *
     * @param name the group's name; no character has a special meaning
     */
    public WatchOptions ofGroup(String name) {
        Objects.requireNonNull(name, "'group' must not be null");
        return new WatchOptions(capacity, overflow, name, key, keyPrefix, values, existing, resumeAfter);
    }

    /**
     * {@return the same options for the changes of one entry and the deletions of its group} Without a
     * {@linkplain #ofGroup group}, they apply to this key in every group.
     *
     * @param name the key; no character has a special meaning
     */
    public WatchOptions ofKey(String name) {
        Objects.requireNonNull(name, "'key' must not be null");
        return new WatchOptions(capacity, overflow, group, name, keyPrefix, values, existing, resumeAfter);
    }

    /**
     * {@return the same options for the changes of entries whose key starts with a prefix, and the deletions of their
     * group} Without a {@linkplain #ofGroup group}, they apply to such keys in every group.
     *
     * @param prefix the prefix; no character has a special meaning
     */
    public WatchOptions ofKeyPrefix(String prefix) {
        Objects.requireNonNull(prefix, "'keyPrefix' must not be null");
        return new WatchOptions(capacity, overflow, group, key, prefix, values, existing, resumeAfter);
    }

    /**
     * Returns options for a watch whose {@link EntryPut}s have their values. The buffer then holds values, and may be full with fewer
     * changes than its capacity: at 16 MiB, or at 512 bytes for each change of the capacity if that is more. Values may be secrets.
     *
     * @return the changed options
     */
    public WatchOptions withValues() {
        return new WatchOptions(capacity, overflow, group, key, keyPrefix, true, existing, resumeAfter);
    }

    /**
     * Returns options for a watch of a group that starts with its present entries. The reader first gets a {@link
     * WatchSignal.Existing} for each live entry that was put before the watch was opened and was not changed since,
     * in the order of the keys, then {@link WatchSignal.UpToDate}, and then the changes since the watch was opened.
     * The entries are read page by page as the reader goes on, so they take no room in the buffer. Opening the watch
     * waits for a transaction in progress, as a write does.
     *
     * @return the changed options
     */
    public WatchOptions withExisting() {
        return new WatchOptions(capacity, overflow, group, key, keyPrefix, values, true, resumeAfter);
    }

    /**
     * Returns options for a watch that continues after another watch. From its first watch on, the store keeps the last
     * events in memory, without values ({@code StoreBuilder.eventHistory}). If events after the sequence are no longer
     * available, for example after a restart, the reader first gets a {@link WatchSignal.Gap}. It also gets one if the
     * store has not reached the sequence since it was opened, because the number must then come from another store or
     * an earlier process. A store in memory begins its numbers again when it is opened. Once it has reached a number of
     * an earlier process again, it cannot tell the two apart.
     *
     * <p>Resume only after a {@link WatchSignal.Change} or {@link WatchSignal.UpToDate}. {@link WatchSignal.Existing}
     * entries come in the order of their keys, so a watch that resumes after one of them would skip entries. If several
     * processes write, resume only watches of one group or scope, because sequences of different groups and scopes have
     * no common order. A watch of several starts with a gap. A watch also starts with a gap if the sequence is not one
     * of the last events of this process.
     *
     * @param sequence the sequence of the last change that the reader has seen, or of its {@code UpToDate}
     * @return the changed options
     */
    public WatchOptions resumingAfter(long sequence) {
        return new WatchOptions(capacity, overflow, group, key, keyPrefix, values, existing, sequence);
    }

    /** Returns a text without the key and its prefix, which may be secrets; it says whether there is one. */
    @Override
    public String toString() {
        return "WatchOptions[capacity=" + capacity + ", overflow=" + overflow + ", group=" + group + ", ofKey="
                + (key != null) + ", ofKeyPrefix=" + (keyPrefix != null) + ", values=" + values + ", existing="
                + existing + ", resumeAfter=" + resumeAfter + "]";
    }
}
