package dev.ttlstore;

import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;

/**
 * What all groups of a store share.
 *
 * @param codecs where codecs for classes are found
 * @param maxValueSize the largest encoded value that is accepted, in bytes
 * @param unreadableValues what reads do with a value that cannot be read
 * @param unreadable how many such reads have answered absent
 * @param loads the loads under way
 */
record StoreContext(
        Codecs codecs, int maxValueSize, UnreadableValues unreadableValues, LongAdder unreadable, Loads loads) {

    StoreContext(Codecs codecs, int maxValueSize, UnreadableValues unreadableValues) {
        this(codecs, maxValueSize, unreadableValues, new LongAdder(), new Loads());
    }

    /**
     * The same for a transaction, which keeps other writers waiting: it must not wait for their loads, which end with a write,
     * and they need not wait for its own.
     */
    StoreContext withLoadsOfItsOwn() {
        return new StoreContext(codecs, maxValueSize, unreadableValues, unreadable, new Loads());
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
