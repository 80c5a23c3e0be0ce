package dev.ttlstore.sample;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import org.springframework.stereotype.Service;

import dev.ttlstore.KeyRange;
import dev.ttlstore.Keyspace;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

/**
 * Which unread secrets are whose. One group leads from a sender to keys, the other back, and both end with the secret. A
 * sender is given ids in place of keys: its cookie is good for taking a secret back, not for reading it.
 */
@Service
class SentSecrets {

    static final int SHOWN = 100;

    private final Store store;

    SentSecrets(Store store) {
        this.store = store;
    }

    /** A secret that nobody has read yet. */
    record Sent(String id, Instant createdAt, Instant expiresAt) {}

    /** The newest of them, the last first, and whether there are more. */
    record Newest(List<Sent> secrets, boolean more) {}

    Newest of(Sender sender, String team) {
        List<Sent> newest = bySender(store, team)
                .entries(KeyRange.prefix(sender.id() + "/"))
                .map(entry -> new Sent(
                        entry.key().substring(sender.id().length() + 1),
                        entry.createdAt(),
                        Objects.requireNonNull(entry.expiresAt())))
                .sorted((one, other) -> other.createdAt().compareTo(one.createdAt()))
                .limit(SHOWN + 1L)
                .toList();
        boolean more = newest.size() > SHOWN;
        return new Newest(more ? newest.subList(0, SHOWN) : newest, more);
    }

    /** The key of a secret, if it is this sender's and still waits. */
    Optional<String> key(Keyspace transaction, Sender sender, String team, String id) {
        return bySender(transaction, team).get(place(sender, id));
    }

    static String id(String key) {
        return Hashes.of(key);
    }

    void note(Keyspace transaction, Sender sender, String team, String key, Duration ttl) {
        String place = place(sender, id(key));
        bySender(transaction, team).put(place, key, ttl);
        byKey(transaction, team).put(key, place, ttl);
    }

    void renew(Keyspace transaction, String team, String key, Instant end) {
        byKey(transaction, team).get(key).ifPresent(place -> {
            bySender(transaction, team).expire(place, end);
            byKey(transaction, team).expire(key, end);
        });
    }

    void forget(Keyspace transaction, String team, String key) {
        byKey(transaction, team).take(key).ifPresent(place -> bySender(transaction, team)
                .delete(place));
    }

    private static String place(Sender sender, String id) {
        return sender.id() + "/" + id;
    }

    private static TextGroup bySender(Keyspace keyspace, String team) {
        return keyspace.group("sent/" + team);
    }

    private static TextGroup byKey(Keyspace keyspace, String team) {
        return keyspace.group("sender/" + team);
    }
}
