package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.EngineView.Loaded;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/** What a transaction has read, for its commit, which checks that nothing of it has changed. Used by one thread. */
final class ReadSet {

    private final Slots slots;
    private final Map<Integer, SeenSlot> known = new HashMap<>();

    /** Those on which the transaction depends. */
    private final Map<Integer, SeenSlot> touched = new TreeMap<>();

    private final Map<RowKey, @Nullable Row> rows = new HashMap<>();
    private final List<UsageRows.Found> usages = new ArrayList<>();

    ReadSet(Slots slots) {
        this.slots = slots;
    }

    /** Notes the head of a slot that the transaction sees. */
    void begin(LogHead head) {
        known.put(head.slot(), new SeenSlot(head));
    }

    /** Returns a slot, on which the transaction depends from now on. */
    SeenSlot touch(int slot) {
        SeenSlot seen = LogHead.required(slot, known.get(slot));
        touched.put(slot, seen);
        return seen;
    }

    /** Notes a row that was read, or null if it is missing. The first one counts. */
    void add(RowKey key, @Nullable Row row) {
        SeenSlot unused = touch(slots.of(key.group()));
        rows.putIfAbsent(key, row);
    }

    /** Notes the usage of a namespace that was read, also if it is not counted yet. */
    void add(UsageRows.Found usage) {
        SeenSlot unused = touch(usage.slot());
        usages.add(usage);
    }

    /** Returns how many rows were read one by one. */
    int size() {
        return rows.size();
    }

    /** Returns the numbers of the slots on which the transaction depends. */
    Set<Integer> slots() {
        return touched.keySet();
    }

    /** Returns the slots on which the transaction depends. */
    Collection<SeenSlot> seen() {
        return touched.values();
    }

    /** What is to be read again under the locks, because it may have changed. */
    record Doubts(Set<RowKey> keys, Set<String> namespaces) {

        Doubts() {
            this(new TreeSet<>(RowKey.ORDER), new TreeSet<>());
        }

        boolean isEmpty() {
            return keys.isEmpty() && namespaces.isEmpty();
        }
    }

    /**
     * Adds what may have changed in a slot.
     *
     * @param seen the slot
     * @param head its head, which is locked
     * @param doubts takes it
     * @throws ConflictException if it is certain already that something has changed
     */
    void compare(SeenSlot seen, LogHead head, Doubts doubts) {
        boolean unchanged = seen.isUnchanged(head);
        int slot = seen.slot();
        if (!unchanged) {
            rows.keySet().stream().filter(key -> slots.of(key.group()) == slot).forEach(doubts.keys()::add);
        }
        usages.stream()
                .filter(usage -> usage.slot() == slot && !(unchanged && usage.isCounted()))
                .forEach(usage -> doubts.namespaces().add(usage.namespace())); // at least to count it
    }

    /**
     * Requires that rows are as they were read.
     *
     * @param doubts what was read again
     * @param present what is there now
     * @return the namespaces whose usage has changed
     * @throws ConflictException if a row has changed
     */
    Set<String> changed(Doubts doubts, Loaded present) {
        for (RowKey key : doubts.keys()) {
            if (!Row.areSame(rows.get(key), present.rows().get(key))) {
                throw new ConflictException("A row of the group '" + key.group() + "' has changed since it was read");
            }
        }
        Set<String> changed = new TreeSet<>();
        for (UsageRows.Found usage : usages) {
            NamespaceUsage now = present.usage().get(usage.namespace());
            if (now != null && !(usage.isCounted() && usage.isSame(now))) {
                changed.add(usage.namespace());
            }
        }
        return changed;
    }

    /** What a transaction knows of a slot, has read there, and has handed out. Used by one thread. */
    static final class SeenSlot {

        private final int slot;
        private final long at;
        private long seq;
        private @Nullable GroupRange range;
        private boolean slipped;
        private boolean reserved;
        private long next;
        private long end;

        SeenSlot(LogHead head) {
            this.slot = head.slot();
            this.at = head.at();
            this.seq = head.seq();
        }

        int slot() {
            return slot;
        }

        /** The time of the newest commit that the transaction sees. */
        long at() {
            return at;
        }

        /** Notes that more than single rows of some groups are read. Returns whether that is the first time in the slot. */
        boolean readRange(GroupRange groups) {
            boolean first = range == null;
            if (first) {
                range = groups;
            }
            return first;
        }

        /** Takes note of a commit that the transaction has added to the log, and that changes nothing. */
        void moved(FinalTimes.Looked looked) {
            if (!reserved && looked.before() == seq) {
                seq = looked.seq();
            }
        }

        /** Returns how many numbers were set aside last; 0 if none were. */
        long reserved() {
            return reserved ? end - seq : 0;
        }

        /**
         * Takes note of numbers that were set aside in the log.
         *
         * @param before the head before that
         * @param first the first of the numbers
         * @param count how many they are
         * @throws ConflictException if another commit has come after numbers that were set aside before
         */
        void reserve(LogHead before, long first, long count) {
            requireNumbers(before);
            slipped |= before.seq() != seq;
            reserved = true;
            seq = first;
            next = first;
            end = first + count;
        }

        private void requireNumbers(LogHead head) {
            if (reserved && head.seq() != seq) {
                throw new ConflictException("Another commit has taken a later number");
            }
        }

        /** Tests whether a number is left of those that were set aside. */
        boolean hasNumber() {
            return next != end;
        }

        /** Hands out the next number. */
        long takeNumber() {
            return next++;
        }

        /** Returns the first number that was not handed out; 0 if none were set aside. */
        long next() {
            return next;
        }

        /**
         * Tests whether nothing in the slot has changed.
         *
         * @param head the head of the slot, which is locked
         * @return whether that is so; otherwise single rows that were read may have changed
         * @throws ConflictException if something has changed, and more than single rows were read or later numbers were taken
         */
        boolean isUnchanged(LogHead head) {
            requireNumbers(head);
            boolean unchanged = head.seq() == seq && !slipped;
            if (!unchanged && range != null) {
                throw new ConflictException(
                        "Something has changed since a range of " + range.described() + " was read");
            }
            return unchanged;
        }
    }
}
