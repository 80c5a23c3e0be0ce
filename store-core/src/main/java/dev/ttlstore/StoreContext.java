package dev.ttlstore;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.internal.stats.Meter;

/**
 * What all groups of a store share.
 *
 * @param codecs where codecs for classes are found
 * @param maxValueSize the largest encoded value that is accepted, in bytes
 * @param unreadableValues what reads do with a value that cannot be read
 * @param groups what differs for some groups, by full name
 * @param encryption which groups have their values sealed; null if none
 * @param meter what counts what is done
 * @param unreadable how many reads have answered absent for a value that could not be read
 * @param loads the loads under way
 */
record StoreContext(
        Codecs codecs,
        int maxValueSize,
        UnreadableValues unreadableValues,
        Map<String, GroupSettings> groups,
        @Nullable Encryption encryption,
        Meter meter,
        LongAdder unreadable,
        SingleFlight loads) {

    StoreContext(
            Codecs codecs,
            int maxValueSize,
            UnreadableValues unreadableValues,
            Map<String, GroupSettings> groups,
            @Nullable Encryption encryption,
            Meter meter) {
        this(codecs, maxValueSize, unreadableValues, groups, encryption, meter, new LongAdder(), new SingleFlight());
    }

    /**
     * The same for a transaction, which keeps other writers waiting: it must not wait for their loads, which end with a write,
     * and they need not wait for its own.
     */
    StoreContext withLoadsOfItsOwn() {
        return new StoreContext(
                codecs, maxValueSize, unreadableValues, groups, encryption, meter, unreadable, new SingleFlight());
    }

    /** What differs for a group. */
    GroupSettings group(String fullName) {
        return groups.getOrDefault(fullName, GroupSettings.defaults());
    }

    /** What seals the values of a group; null if nothing does. */
    @Nullable
    Encryption encryption(String fullName) {
        return encryption != null && encryption.groups().test(fullName) ? encryption : null;
    }
}
