package dev.ttlstore.sqlite.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.AsyncGroup;
import dev.ttlstore.Counters;
import dev.ttlstore.Store;

/** Writes to several keys, and several writes at once. */
final class JointWrites {

    /** What each account holds is what all threads together say that they have given to it. */
    static final String ACCOUNTS = "accounts";

    static final String GIVEN = "given";
    static final int ACCOUNT_COUNT = 5;

    private static final String LEFT = "left";
    private static final String RIGHT = "right";
    private static final String BULK = "bulk";
    private static final String BURST = "burst";

    private final Hand hand;

    JointWrites(Hand hand) {
        this.hand = hand;
    }

    /** Two groups that always agree. */
    Part pair() {
        Place left = hand.place(LEFT);
        Place right = new Place(RIGHT, left.key());
        if (hand.number(4) == 0) {
            return Part.of(
                    "delete a pair",
                    Map.of(left, Optional.empty(), right, Optional.empty()),
                    store -> store.transact(tx -> {
                        boolean both = tx.group(LEFT).delete(left.key());
                        Answers.require(tx.group(RIGHT).delete(left.key()) == both, "deleting a pair");
                        return both;
                    }));
        }
        State state = hand.fresh().orElseThrow();
        return Part.of(
                "put a pair",
                Map.of(left, Optional.of(state), right, Optional.of(state)),
                store -> store.transact(tx -> {
                    SoleWrites.put(tx.group(LEFT), left.key(), state);
                    SoleWrites.put(tx.group(RIGHT), left.key(), state);
                    return true;
                }));
    }

    /** Moves an amount between two accounts that all threads share, and notes what was given. */
    Part transfer() {
        int from = hand.number(ACCOUNT_COUNT);
        int to = (from + 1 + hand.number(ACCOUNT_COUNT - 1)) % ACCOUNT_COUNT;
        long amount = 1L + hand.number(100);
        Place taken = hand.place(GIVEN, from);
        Place given = hand.place(GIVEN, to);
        long takenSum = hand.count(taken) - amount;
        long givenSum = hand.count(given) + amount;
        return Part.of(
                "transfer",
                Map.of(taken, count(takenSum), given, count(givenSum)),
                store -> store.transact(tx -> {
                    Counters accounts = tx.counters(ACCOUNTS);
                    accounts.increment(Integer.toString(from), -amount);
                    accounts.increment(Integer.toString(to), amount);
                    tx.counters(GIVEN).increment(taken.key(), -amount);
                    return tx.counters(GIVEN).increment(given.key(), amount);
                }));
    }

    private static Optional<State> count(long count) {
        return Optional.of(new State(Long.toString(count), null));
    }

    /** A transaction that thinks better of it. */
    Part undone() {
        Place place = hand.place(LEFT);
        return Part.of("a transaction that throws", Map.of(), store -> {
            try {
                store.transact(tx -> {
                    tx.group(LEFT).put(place.key(), "what must not be");
                    tx.deletePrefix(BULK);
                    throw new Undone();
                });
                throw new AssertionError("A transaction did not throw");
            } catch (Undone expected) {
                // All of it is undone, then.
            }
        });
    }

    private static final class Undone extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    Part putAll() {
        Map<Place, Optional<State>> effect = new TreeMap<>();
        Map<String, String> values = new TreeMap<>();
        int size = 2 + hand.number(10);
        for (int i = 0; i < size; i++) {
            Place place = hand.place(bulk());
            String value = hand.value();
            effect.put(place, Optional.of(new State(value, null)));
            values.put(place.key(), value);
        }
        return Part.of("putAll", effect, store -> store.group(bulk()).putAll(values));
    }

    Part clear() {
        return removeBulk("clear", store -> store.group(bulk()).clear());
    }

    Part deleteGroup() {
        return removeBulk("deleteGroup", store -> store.deleteGroup(bulk()));
    }

    Part deletePrefix() {
        return removeBulk("deletePrefix", store -> store.deletePrefix(bulk()));
    }

    private Part removeBulk(String what, Removal removal) {
        List<Place> standing = hand.standing(bulk());
        Map<Place, Optional<State>> effect = new TreeMap<>();
        standing.forEach(place -> effect.put(place, Optional.empty()));
        return Part.of(what, effect, store -> Answers.require(removal.on(store) == standing.size(), what));
    }

    /** Removes all of this thread's bulk, and says how many entries it was. */
    private interface Removal {
        long on(Store store);
    }

    private String bulk() {
        return BULK + " of " + hand.thread() + ".";
    }

    /** Writes that nobody waits for, each to a key of its own. */
    List<Part> burst() {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Place place = hand.place(BURST, i);
            String key = place.key();
            State standing = hand.at(place);
            State fresh = hand.fresh().orElseThrow();
            int kind = hand.number(5);
            if (kind == 0) {
                parts.add(new Part("async delete", Map.of(place, Optional.empty()), store -> async(store)
                        .delete(key)
                        .thenApply(deleted -> {
                            Answers.require(deleted == (standing != null), "async delete");
                            return true;
                        })));
            } else if (kind == 1) {
                parts.add(new Part("async putIfAbsent", putIfAbsent(place, standing, fresh), store -> async(store)
                        .putIfAbsent(key, fresh.value())
                        .thenApply(put -> put.isPresent())));
            } else {
                parts.add(new Part(
                        "async put",
                        Map.of(place, Optional.of(new State(fresh.value(), null))),
                        store -> async(store).put(key, fresh.value()).thenApply(done -> true)));
            }
        }
        return parts;
    }

    private static Map<Place, Optional<State>> putIfAbsent(Place place, @Nullable State standing, State fresh) {
        return standing == null ? Map.of(place, Optional.of(new State(fresh.value(), null))) : Map.of();
    }

    private static AsyncGroup<String> async(Store store) {
        return store.group(BURST).async();
    }
}
