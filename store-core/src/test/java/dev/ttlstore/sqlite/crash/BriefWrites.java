package dev.ttlstore.sqlite.crash;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import dev.ttlstore.Store;

/**
 * Entries that live for a moment: once the process is dead for as long, they are gone, unless they were renewed in time.
 * Whether one was is the answer to the renewal.
 */
final class BriefWrites {

    /** The longest that such an entry lives. */
    static final Duration LONGEST = Duration.ofMillis(30);

    private static final String GROUP = "brief";

    private final Hand hand;
    private Place last;
    private String lastValue = "";

    BriefWrites(Hand hand) {
        this.hand = hand;
        this.last = hand.place(GROUP);
    }

    Part put() {
        Place place = hand.place(GROUP);
        String value = hand.value();
        last = place;
        lastValue = value;
        Duration ttl = Duration.ofMillis(1L + hand.number((int) LONGEST.toMillis()));
        return Part.of("put for " + ttl, Map.of(place, Optional.empty()), store -> store.group(GROUP)
                .put(place.key(), value, ttl));
    }

    /** Renews the entry that was put last, which by now may have expired. */
    Part renew() {
        Place place = last;
        State standing = hand.at(place);
        String value = standing == null ? lastValue : standing.value();
        Instant expiresAt = hand.number(2) == 0 ? hand.far() : null;
        return Part.asking(
                "renew what was put for a moment",
                Map.of(place, Optional.of(new State(value, expiresAt))),
                store -> expiresAt == null
                        ? store.group(GROUP).persist(place.key())
                        : store.group(GROUP).expire(place.key(), expiresAt));
    }

    Part purge() {
        return Part.of("purge", Map.of(), Store::purgeExpired);
    }
}
