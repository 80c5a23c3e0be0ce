package dev.ttlstore;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.commit.Meter;

/**
 * What all groups of a store share.
 *
 * @param codecs where codecs for classes are found
 * @param maxValueSize the largest encoded value that is accepted, in bytes
 * @param unreadableValues what reads do with a value that cannot be read
 * @param groups what differs for some groups, by full name
 * @param meter what counts what is done
 * @param unreadable how many reads have answered absent for a value that could not be read
 * @param loads the loads under way
 */
record StoreContext(
        Codecs codecs,
        int maxValueSize,
        UnreadableValues unreadableValues,
        Map<String, GroupSettings> groups,
        Meter meter,
        LongAdder unreadable,
        Loads loads) {

    StoreContext(
            Codecs codecs,
            int maxValueSize,
            UnreadableValues unreadableValues,
            Map<String, GroupSettings> groups,
            Meter meter) {
        this(codecs, maxValueSize, unreadableValues, groups, meter, new LongAdder(), new Loads());
    }

    /**
     * The same for a transaction, which keeps other writers waiting: it must not wait for their loads, which end with a write,
     * and they need not wait for its own.
     */
    StoreContext withLoadsOfItsOwn() {
        return new StoreContext(codecs, maxValueSize, unreadableValues, groups, meter, unreadable, new Loads());
    }

    /** What differs for a group. */
    GroupSettings group(String fullName) {
        return groups.getOrDefault(fullName, GroupSettings.defaults());
    }

    /** Decodes a value; null stands for one that cannot be read and is to be taken for absent. */
    <V> @Nullable V decode(Codec<V> codec, byte[] bytes, String group) {
        try {
            return Codecs.decode(codec, bytes, group);
        } catch (CodecException e) {
            if (unreadableValues == UnreadableValues.FAIL) {
                throw e;
            }
            unreadable.increment();
            return null;
        }
    }
}
