package dev.ttlstore.sqlite.crash;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;

import dev.ttlstore.Store;

/**
 * A write that happens as a whole or not at all.
 *
 * @param what which, for a message
 * @param effect what stands afterwards at the places that it changes; empty where nothing does
 * @param action makes the write, and answers whether it had its effect
 */
record Part(String what, Map<Place, Optional<State>> effect, Action action) {

    /** A write to a store. */
    @FunctionalInterface
    interface Action {
        CompletableFuture<Boolean> on(Store store);
    }

    /** A write that has its effect when it returns. */
    static Part of(String what, Map<Place, Optional<State>> effect, Consumer<Store> write) {
        return new Part(what, effect, store -> {
            write.accept(store);
            return CompletableFuture.completedFuture(true);
        });
    }

    /** A write that answers whether it had its effect. */
    static Part asking(String what, Map<Place, Optional<State>> effect, Predicate<Store> write) {
        return new Part(what, effect, store -> CompletableFuture.completedFuture(write.test(store)));
    }

    /** Brings the effect about in a model. */
    void applyTo(SortedMap<Place, State> model) {
        effect.forEach((place, state) ->
                state.ifPresentOrElse(standing -> model.put(place, standing), () -> model.remove(place)));
    }

    /** Whether a model looks as it does after the write. */
    boolean isIn(Map<Place, State> model) {
        return effect.entrySet().stream()
                .allMatch(entry -> entry.getValue().equals(Optional.ofNullable(model.get(entry.getKey()))));
    }

    /** Whether two models are alike where the write changes something. */
    boolean leavesAlike(Map<Place, State> one, Map<Place, State> other) {
        return effect.keySet().stream()
                .allMatch(place -> Optional.ofNullable(one.get(place)).equals(Optional.ofNullable(other.get(place))));
    }

    @Override
    public String toString() {
        return what + " " + effect;
    }
}
