package dev.ttlstore.sqlite.crash;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;

import org.jspecify.annotations.Nullable;

/** What a thread of a plan draws from: its randomness, and what stands at its own places. */
final class Hand {

    /** So far ahead that nothing reaches it. */
    private static final Instant FAR = Instant.parse("2100-01-01T00:00:00Z");

    private static final int PLACES = 12;

    private final int thread;
    private final Random random;
    private final SortedMap<Place, State> own;
    private int values;

    Hand(int thread, Random random, SortedMap<Place, State> own) {
        this.thread = thread;
        this.random = random;
        this.own = own;
    }

    int thread() {
        return thread;
    }

    int number(int bound) {
        return random.nextInt(bound);
    }

    Place place(String group) {
        return place(group, random.nextInt(PLACES));
    }

    Place place(String group, int number) {
        return Place.of(group, thread, number);
    }

    /** The places of this thread in a group at which something stands. */
    List<Place> standing(String group) {
        return own.keySet().stream()
                .filter(place -> place.group().equals(group))
                .toList();
    }

    @Nullable
    State at(Place place) {
        return own.get(place);
    }

    /** A count that stands at a place, or zero. */
    long count(Place place) {
        State state = own.get(place);
        return state == null ? 0 : Long.parseLong(state.value());
    }

    Instant far() {
        return FAR.plus(Duration.ofMillis(random.nextInt(1_000_000_000)));
    }

    /** A value that was not there before in this plan; sometimes one that fills pages of its own. */
    String value() {
        int size =
                switch (random.nextInt(20)) {
                    case 0 -> 40_000;
                    case 1, 2, 3 -> 5_000;
                    default -> 200;
                };
        int filler = random.nextInt(size);
        return "value " + values++ + " " + "x".repeat(filler);
    }

    Optional<State> fresh() {
        return Optional.of(new State(value(), random.nextInt(3) == 0 ? far() : null));
    }
}
