package dev.ttlstore.sqlite.crash;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.ttlstore.Entry;
import dev.ttlstore.Store;

/** All that is found in a store, and the versions of it. */
record Contents(SortedMap<Place, State> entries, SortedSet<Long> versions) {

    /** Reads a store; two entries with one version are refused. */
    static Contents of(Store store) {
        SortedMap<Place, State> entries = new TreeMap<>();
        SortedSet<Long> versions = new TreeSet<>();
        for (String group : store.groups().toList()) {
            for (Entry<String> entry : store.group(group).entries().toList()) {
                entries.put(new Place(group, entry.key()), new State(entry.value(), entry.expiresAt()));
                if (!versions.add(entry.version())) {
                    throw new AssertionError("Two entries have the version " + entry.version());
                }
            }
        }
        return new Contents(entries, versions);
    }

    /** The part that belongs to a thread. */
    SortedMap<Place, State> of(int thread) {
        SortedMap<Place, State> own = new TreeMap<>(entries);
        own.keySet().removeIf(place -> !place.isOf(thread));
        return own;
    }

    /** The part in a group. */
    SortedMap<Place, State> in(String group) {
        SortedMap<Place, State> part = new TreeMap<>(entries);
        part.keySet().removeIf(place -> !place.group().equals(group));
        return part;
    }

    /** When each entry that expires is to do so, as the entries say. */
    SortedMap<Place, Instant> expiries() {
        SortedMap<Place, Instant> expiries = new TreeMap<>();
        entries.forEach((place, state) -> {
            if (state.expiresAt() != null) {
                expiries.put(place, state.expiresAt());
            }
        });
        return expiries;
    }

    long lastVersion() {
        return versions.isEmpty() ? 0 : versions.last();
    }

    /** How two contents differ, for a message. */
    static String difference(Map<Place, State> expected, Map<Place, State> found) {
        TreeSet<Place> places = new TreeSet<>(expected.keySet());
        places.addAll(found.keySet());
        places.removeIf(
                place -> expected.containsKey(place) && expected.get(place).equals(found.get(place)));
        List<String> lines = places.stream()
                .map(place -> place + ": expected " + expected.get(place) + ", found " + found.get(place))
                .toList();
        return String.join("\n", lines);
    }
}
