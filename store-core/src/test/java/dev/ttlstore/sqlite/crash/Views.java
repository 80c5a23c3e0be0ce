package dev.ttlstore.sqlite.crash;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Supplier;

import dev.ttlstore.Entry;
import dev.ttlstore.ExpiringEntry;
import dev.ttlstore.KeyRange;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

import static dev.ttlstore.contract.Assertions.assertThat;

/** The ways to read a store, each of which has to show the same. */
final class Views {

    private static final Instant END_OF_TIME = Instant.parse("2200-01-01T00:00:00Z");

    private Views() {}

    /** All the ways, for stores of which nothing is known. */
    static List<Supplier<Object>> all(Store store, SortedSet<Place> places) {
        List<Supplier<Object>> reads = new ArrayList<>();
        reads.add(() ->
                store.groups().map(name -> store.group(name).entries().toList()).toList());
        reads.add(store::stats);
        reads.add(store::count);
        reads.add(() -> expiring(store));
        reads.add(() -> store.expired(Instant.EPOCH, END_OF_TIME).toList());
        for (Place place : places) {
            TextGroup group = store.group(place.group());
            reads.add(() -> group.get(place.key()));
            reads.add(() -> group.entry(place.key()));
            reads.add(group::getAll);
            reads.add(group::count);
            reads.add(() -> group.keys().toList());
            reads.add(() -> group.entries(KeyRange.all().reversed()).toList());
            reads.add(() -> group.page(null, 100));
        }
        return reads;
    }

    /** Requires that a store shows this, and nothing else, whichever way it is asked. */
    static void require(Store store, SortedMap<Place, State> expected, SortedSet<Place> places) {
        assertThat(store.count()).isEqualTo(expected.size());
        assertThat(store.stats().entries()).isEqualTo(expected.size());
        SortedMap<Place, Instant> expiries = new TreeMap<>();
        expected.forEach((place, state) -> {
            if (state.expiresAt() != null) {
                expiries.put(place, state.expiresAt());
            }
        });
        assertThat(expiring(store)).isEqualTo(expiries);
        for (Place place : places) {
            TextGroup group = store.group(place.group());
            Optional<String> value = Optional.ofNullable(expected.get(place)).map(State::value);
            assertThat(group.get(place.key())).isEqualTo(value);
            assertThat(group.contains(place.key())).isEqualTo(value.isPresent());
            assertThat(group.entry(place.key()).map(entry -> new State(entry.value(), entry.expiresAt())))
                    .isEqualTo(Optional.ofNullable(expected.get(place)));
        }
        for (String name : places.stream().map(Place::group).distinct().sorted().toList()) {
            requireGroup(store.group(name), expected);
        }
    }

    private static void requireGroup(TextGroup group, SortedMap<Place, State> expected) {
        SortedMap<String, String> values = new TreeMap<>();
        expected.forEach((place, state) -> {
            if (place.group().equals(group.name())) {
                values.put(place.key(), state.value());
            }
        });
        assertThat(group.getAll()).isEqualTo(values);
        assertThat(group.getAll(values.keySet())).isEqualTo(values);
        assertThat(group.count()).isEqualTo(values.size());
        assertThat(group.keys()).containsExactlyElementsOf(values.keySet());
        assertThat(group.page(null, 10_000)).extracting(Entry::value).containsExactlyElementsOf(values.values());
        assertThat(group.entries(KeyRange.all().reversed()))
                .extracting(Entry::key)
                .containsExactlyElementsOf(new TreeMap<>(values).descendingKeySet());
    }

    private static Map<Place, Instant> expiring(Store store) {
        SortedMap<Place, Instant> expiries = new TreeMap<>();
        for (ExpiringEntry entry : store.expiring(Instant.EPOCH, END_OF_TIME).toList()) {
            expiries.put(new Place(entry.group(), entry.key()), entry.expiresAt());
        }
        return expiries;
    }
}
