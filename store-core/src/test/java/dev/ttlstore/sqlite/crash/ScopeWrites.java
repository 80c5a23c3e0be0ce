package dev.ttlstore.sqlite.crash;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.exception.QuotaExceededException;

/** Writes to a scope of the thread's own, and to one that all share, both with a quota. */
final class ScopeWrites {

    static final int OWN_KEYS = 8;
    static final String TEAM = "team";
    static final int TEAM_KEYS = 20;

    private static final String GROUP = "things";

    private final Hand hand;

    ScopeWrites(Hand hand) {
        this.hand = hand;
    }

    static Scope own(Store store, int thread) {
        return store.scope("scope-" + thread, new Quota(OWN_KEYS, 0, 0));
    }

    static Scope team(Store store) {
        return store.scope(TEAM, new Quota(TEAM_KEYS, 0, 0));
    }

    Part put() {
        Place place = hand.place(own());
        String value = hand.value();
        boolean space = hand.at(place) != null || hand.standing(own()).size() < OWN_KEYS;
        return Part.of(
                "put in a scope",
                space ? Map.of(place, Optional.of(new State(value, null))) : Map.of(),
                store -> Answers.require(put(own(store, hand.thread()), place, value) == space, "a quota"));
    }

    Part delete() {
        Place place = hand.place(own());
        return Part.of("delete in a scope", Map.of(place, Optional.empty()), store -> own(store, hand.thread())
                .group(GROUP)
                .delete(place.key()));
    }

    Part empty() {
        Map<Place, Optional<State>> effect = new TreeMap<>();
        hand.standing(own()).forEach(place -> effect.put(place, Optional.empty()));
        return Part.of(
                "empty a scope",
                effect,
                store -> Answers.require(
                        own(store, hand.thread()).deletePrefix("") == effect.size(), "emptying a scope"));
    }

    /** Whether there is room depends on the other threads. */
    Part putForTeam() {
        Place place = hand.place(TEAM + ":" + GROUP);
        String value = hand.value();
        return Part.asking(
                "put for the team",
                Map.of(place, Optional.of(new State(value, null))),
                store -> put(team(store), place, value));
    }

    Part deleteForTeam() {
        Place place = hand.place(TEAM + ":" + GROUP);
        return Part.of("delete for the team", Map.of(place, Optional.empty()), store -> team(store)
                .group(GROUP)
                .delete(place.key()));
    }

    private String own() {
        return "scope-" + hand.thread() + ":" + GROUP;
    }

    private static boolean put(Scope scope, Place place, String value) {
        try {
            scope.group(GROUP).put(place.key(), value);
            return true;
        } catch (QuotaExceededException e) {
            return false;
        }
    }
}
