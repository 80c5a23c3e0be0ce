package dev.ttlstore.postgresql;

import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.LinkedBlockingDeque;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.GroupRange;

/**
 * The slots in which a purge has seen many expired rows, so that its next commits need not search for them. What it says may be out
 * of date. Used by one purge at a time.
 */
final class CrowdedSlots {

    /** After how many commits others are searched for, so that few rows in one slot do not wait for many in another. */
    private static final int SEARCH_AFTER = 16;

    private final Deque<Integer> slots = new LinkedBlockingDeque<>();
    private GroupRange groups = GroupRange.ALL;
    private int left;

    /** Notes the slots that have many expired rows of some groups, and forgets all others. */
    void found(GroupRange inGroups, Collection<Integer> some) {
        groups = inGroups;
        slots.clear();
        slots.addAll(some);
        left = SEARCH_AFTER;
    }

    /** Notes that a slot may still have many. */
    void more(int slot) {
        slots.add(slot);
    }

    /** Takes a slot that has many expired rows of some groups; null if none is known, or if it is time to search again. */
    @Nullable
    Integer take(GroupRange ofGroups) {
        if (left == 0 || !groups.equals(ofGroups)) {
            return null;
        }
        left--;
        return slots.poll();
    }
}
