package dev.ttlstore.sqlite.crash;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

/** Writes to one key of the thread's own, whose answers are known beforehand. */
final class SoleWrites {

    private static final String GROUP = "own";
    private static final String COUNTS = "counts";

    private final Hand hand;

    SoleWrites(Hand hand) {
        this.hand = hand;
    }

    Part put() {
        Place place = hand.place(GROUP);
        State state = hand.fresh().orElseThrow();
        return Part.of("put", Map.of(place, Optional.of(state)), store -> put(group(store), place.key(), state));
    }

    Part putIfAbsent() {
        Place place = hand.place(GROUP);
        String value = hand.value();
        boolean absent = hand.at(place) == null;
        return Part.of(
                "putIfAbsent",
                absent ? Map.of(place, Optional.of(new State(value, null))) : Map.of(),
                store -> Answers.require(
                        group(store).putIfAbsent(place.key(), value).isPresent() == absent, "putIfAbsent"));
    }

    Part replace() {
        Place place = hand.place(GROUP);
        State standing = hand.at(place);
        String value = hand.value();
        String expected = standing == null || hand.number(4) == 0 ? "what stands nowhere" : standing.value();
        boolean right = standing != null && standing.value().equals(expected);
        return Part.of(
                "replace",
                right ? Map.of(place, Optional.of(new State(value, null))) : Map.of(),
                store -> Answers.require(
                        group(store).replace(place.key(), expected, value).isPresent() == right, "replace"));
    }

    Part replaceVersion() {
        Place place = hand.place(GROUP);
        boolean there = hand.at(place) != null;
        String value = hand.value();
        return Part.of(
                "replaceVersion", there ? Map.of(place, Optional.of(new State(value, null))) : Map.of(), store -> {
                    long version = group(store)
                            .entry(place.key())
                            .map(entry -> entry.version())
                            .orElse(0L);
                    Answers.require(
                            group(store)
                                            .replaceVersion(place.key(), version, value)
                                            .isPresent()
                                    == there,
                            "replaceVersion");
                });
    }

    Part update() {
        Place place = hand.place(GROUP);
        State standing = hand.at(place);
        String value = hand.value();
        return Part.of(
                "update",
                standing == null ? Map.of() : Map.of(place, Optional.of(new State(value, standing.expiresAt()))),
                store -> Answers.require(
                        group(store).update(place.key(), old -> value).isPresent() == (standing != null), "update"));
    }

    Part delete() {
        Place place = hand.place(GROUP);
        boolean there = hand.at(place) != null;
        return Part.of(
                "delete",
                Map.of(place, Optional.empty()),
                store -> Answers.require(group(store).delete(place.key()) == there, "delete"));
    }

    Part take() {
        Place place = hand.place(GROUP);
        Optional<String> value = Optional.ofNullable(hand.at(place)).map(State::value);
        return Part.of(
                "take",
                Map.of(place, Optional.empty()),
                store -> Answers.require(group(store).take(place.key()).equals(value), "take"));
    }

    Part expire() {
        Instant expiresAt = hand.far();
        return reschedule("expire", expiresAt, (group, key) -> group.expire(key, expiresAt));
    }

    Part persist() {
        return reschedule("persist", null, TextGroup::persist);
    }

    private Part reschedule(String what, @Nullable Instant expiresAt, Rescheduling call) {
        Place place = hand.place(GROUP);
        State standing = hand.at(place);
        return Part.of(
                what,
                standing == null ? Map.of() : Map.of(place, Optional.of(new State(standing.value(), expiresAt))),
                store -> Answers.require(call.on(group(store), place.key()) == (standing != null), what));
    }

    /** Gives a live entry another expiry. */
    private interface Rescheduling {
        boolean on(TextGroup group, String key);
    }

    Part increment() {
        Place place = hand.place(COUNTS);
        long delta = hand.number(100) - 50L;
        long sum = hand.count(place) + delta;
        State standing = hand.at(place);
        State after = new State(Long.toString(sum), standing == null ? null : standing.expiresAt());
        return Part.of(
                "increment",
                Map.of(place, Optional.of(after)),
                store -> Answers.require(store.counters(COUNTS).increment(place.key(), delta) == sum, "increment"));
    }

    private static TextGroup group(Store store) {
        return store.group(GROUP);
    }

    static void put(TextGroup group, String key, State state) {
        if (state.expiresAt() == null) {
            group.put(key, state.value());
        } else {
            group.put(key, state.value(), state.expiresAt());
        }
    }
}
