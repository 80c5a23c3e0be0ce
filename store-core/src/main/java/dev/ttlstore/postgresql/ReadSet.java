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
    void begin(Head head) {
        known.put(head.slot(), new SeenSlot(head));
    }

    /** Returns a slot, on which the transaction depends from now on. */
    SeenSlot touch(int slot) {
        SeenSlot seen = Head.required(slot, known.get(slot));
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
    void compare(SeenSlot seen, Head head, Doubts doubts) {
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
}
