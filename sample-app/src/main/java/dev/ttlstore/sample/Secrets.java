package dev.ttlstore.sample;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.springframework.stereotype.Service;

import dev.ttlstore.Entry;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

/** The secrets of all teams, each in a scope of its own. */
@Service
class Secrets {

    static final String GROUP = "secrets";

    private final Store store;

    Secrets(Store store) {
        this.store = store;
    }

    /** A secret that waits to be revealed, named by a key that nobody guesses. */
    record Kept(String key, Instant expiresAt) {}

    Kept keep(String team, String value, Duration ttl) {
        TextGroup secrets = of(team);
        String key = secrets.add(value, ttl);
        // Already gone, where the ttl is shorter than the way here.
        Instant expiresAt = secrets.entry(key).map(Entry::expiresAt).orElseGet(Instant::now);
        return new Kept(key, expiresAt);
    }

    /** When a secret that still waits will be gone. Looking does not use it up. */
    Optional<Instant> expiry(String team, String key) {
        return of(team).entry(key).map(Entry::expiresAt);
    }

    /** The secret, to one caller; to everyone after that, nothing. */
    Optional<String> reveal(String team, String key) {
        return of(team).take(key);
    }

    long count(String team) {
        return of(team).count();
    }

    private TextGroup of(String team) {
        return store.scope(team).group(GROUP);
    }
}
