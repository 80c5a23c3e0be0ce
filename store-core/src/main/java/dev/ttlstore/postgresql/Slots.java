package dev.ttlstore.postgresql;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Utf8;

/**
 * The slots of a store: every group belongs to one, and all groups of a namespace to the same one. Numbers of events are unique
 * across the slots, because each ends with its slot.
 *
 * @param count how many slots there are; fixed when the schema was created
 */
record Slots(int count) {

    private static final int FNV_OFFSET = 0x811c9dc5;
    private static final int FNV_PRIME = 0x01000193;

    /** Returns the slot of a group. */
    int of(String group) {
        String namespace = Namespaces.of(group);
        return Math.floorMod(hash(namespace == null ? group : Namespaces.prefix(namespace)), count);
    }

    /** FNV-1a over the UTF-8 bytes, then the finalizer of MurmurHash3. Never changes, because rows are found by it. */
    private static int hash(String text) {
        int hash = FNV_OFFSET;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
        hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
        return hash ^ (hash >>> 16);
    }

    /** Returns the slot that has all rows of a request, or {@link Engine#SEVERAL_PARTS}. */
    int of(Request request) {
        int slot = Engine.SEVERAL_PARTS;
        for (RowKey key : request.keys()) {
            int next = of(key.group());
            if (slot >= 0 && next != slot) {
                return Engine.SEVERAL_PARTS;
            }
            slot = next;
        }
        return slot;
    }

    /** Returns the slots where groups of a range can be. */
    List<Integer> of(GroupRange groups) {
        if (groups.isOneGroup()) {
            return List.of(of(groups.from()));
        }
        String namespace = Namespaces.of(groups.from());
        String end = namespace == null ? null : Utf8.afterPrefix(Namespaces.prefix(namespace));
        String to = groups.to();
        boolean within = end != null && to != null && Utf8.ORDER.compare(to, end) <= 0;
        return within ? List.of(of(groups.from())) : all();
    }

    /** Returns all slots, in order. */
    List<Integer> all() {
        return IntStream.range(0, count).boxed().toList();
    }

    /** Makes the number of an event from its place in its slot. */
    long number(int slot, long seq) {
        return seq * count + slot;
    }

    /** Returns the place in its slot of the event with a number. */
    long seq(long number) {
        return number / count;
    }

    /** Returns the slot of the event with a number. */
    int slot(long number) {
        return (int) (number % count);
    }
}
