package dev.ttlstore.sample.secrets;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

import org.springframework.stereotype.Service;

import dev.ttlstore.KeyRange;
import dev.ttlstore.Keyspace;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.sample.web.Refusal;

/**
 * The unread secrets of each sender. One group leads from senders to ids, another from ids to senders. Both entries
 * expire with the secret. With an id, the owner of the cookie can take a secret back, but not read it.
 */
@Service
class SentSecrets {

    static final int SHOWN = 100;

    private final Store store;

    SentSecrets(Store store) {
        this.store = store;
    }

    /** An unread secret. */
    record Sent(String id, Instant createdAt, Instant expiresAt) {}

    /** The newest unread secrets, newest first, and whether there are more. */
    record Newest(List<Sent> secrets, boolean more) {

        static final Newest NONE = new Newest(List.of(), false);
    }

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

    /**
     * Checks that a secret belongs to the sender and is unread.
     *
     * @throws Refusal if not
     */
    void require(Keyspace transaction, Sender sender, String team, String id) {
        if (!bySender(transaction, team).contains(place(sender, id))) {
            throw Refusal.noSuchSecret();
        }
    }

    void note(Keyspace transaction, Sender sender, String team, String id, Duration ttl) {
        bySender(transaction, team).put(place(sender, id), "", ttl);
        byId(transaction, team).put(id, sender.id(), ttl);
    }

    void renew(Keyspace transaction, String team, String id, Instant end) {
        byId(transaction, team).get(id).map(Sender::new).ifPresent(sender -> {
            bySender(transaction, team).expire(place(sender, id), end);
            byId(transaction, team).expire(id, end);
        });
    }

    void forget(Keyspace transaction, String team, String id) {
        byId(transaction, team).take(id).map(Sender::new).ifPresent(sender -> bySender(transaction, team)
                .delete(place(sender, id)));
    }

    void clear(Keyspace transaction, String team) {
        bySender(transaction, team).clear();
        byId(transaction, team).clear();
    }

    private static String place(Sender sender, String id) {
        return sender.id() + "/" + id;
    }

    private static TextGroup bySender(Keyspace keyspace, String team) {
        return keyspace.group("sent/" + team);
    }

    private static TextGroup byId(Keyspace keyspace, String team) {
        return keyspace.group("sender/" + team);
    }
}
