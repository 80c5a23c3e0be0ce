package dev.ttlstore.sample;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

import dev.ttlstore.Entry;
import dev.ttlstore.Keyspace;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

import static java.util.Objects.requireNonNull;

/**
 * The secrets of all teams, each in a scope of its own, under {@linkplain SecretKeys#stored ids}. What belongs to a change is
 * written in one transaction with it.
 */
@Service
class Secrets {

    static final String GROUP = "secrets";

    /** The longest that a secret may wait. */
    static final Duration MAX_TTL = Duration.ofDays(365);

    private final Store store;
    private final Teams teams;
    private final SentSecrets sent;
    private final Activity activity;
    private final QuotaAlarm alarm;
    private final Now now;

    Secrets(Store store, Teams teams, SentSecrets sent, Activity activity, QuotaAlarm alarm, Now now) {
        this.store = store;
        this.teams = teams;
        this.sent = sent;
        this.activity = activity;
        this.alarm = alarm;
        this.now = now;
    }

    /** A secret that waits to be revealed, and the key of its link, which is nowhere else. */
    record Kept(String key, Instant expiresAt) {}

    /** Keeps a secret, for a sender that can take it back, or for one that is not known. */
    Kept keep(String team, String value, Duration ttl, @Nullable Sender sender) {
        teams.admit(team);
        String key = SecretKeys.make();
        String id = SecretKeys.stored(key);
        store.transact(tx -> {
            of(tx, team).put(id, value, ttl);
            if (sender != null) {
                sent.note(tx, sender, team, id, ttl);
            }
            activity.note(tx, team, Activity.Kind.CREATED);
            return id;
        });
        activity.trim(team);
        alarm.more(team);
        // A ttl counts from the commit. Already gone, where it is shorter than the way here.
        return new Kept(key, expiry(team, id).orElseGet(now::get));
    }

    /** When a secret that still waits will be gone. Looking does not use it up. */
    Optional<Instant> expiry(String team, String id) {
        return of(store, team).entry(id).map(Entry::expiresAt);
    }

    /** The secret, to one caller; to everyone after that, nothing. */
    Optional<String> reveal(String team, String id) {
        // What is not there any more is told without holding up those that write.
        if (!of(store, team).contains(id)) {
            return Optional.empty();
        }
        Optional<String> value = store.transact(tx -> {
            Optional<String> taken = of(tx, team).take(id);
            if (taken.isPresent()) {
                sent.forget(tx, team, id);
                activity.note(tx, team, Activity.Kind.READ);
            }
            return taken;
        });
        changed(team);
        return value;
    }

    /**
     * Has a secret wait longer than it would have, and answers its new end. It is written anew, and so sealed with the key of
     * today: no secret is sealed with a key for longer than the longest ttl.
     */
    Instant extend(String team, Sender sender, String id, Duration by) {
        Instant latest = now.get().plus(MAX_TTL);
        Instant end = store.transact(tx -> {
            sent.require(tx, sender, team, id);
            TextGroup secrets = of(tx, team);
            Entry<String> waiting = secrets.entry(id).orElseThrow(NoSuchSecretException::new);
            Instant longer = requireNonNull(waiting.expiresAt()).plus(by);
            if (longer.isAfter(latest)) {
                throw InvalidRequestException.of("by", "must not lead beyond " + MAX_TTL.toDays() + " days from now");
            }
            secrets.put(id, waiting.value(), longer);
            sent.renew(tx, team, id, longer);
            activity.note(tx, team, Activity.Kind.EXTENDED);
            return longer;
        });
        activity.trim(team);
        return end;
    }

    /** Ends a secret now: it expires, as it would have in the end, and the team is told that it did so unread. */
    void expireNow(String team, Sender sender, String id) {
        store.transact(tx -> {
            sent.require(tx, sender, team, id);
            // An end is in the future, be it by the least that there is.
            of(tx, team).expire(id, Duration.ofMillis(1));
            sent.forget(tx, team, id);
            return id;
        });
        changed(team);
    }

    /** Takes a secret back. */
    void delete(String team, Sender sender, String id) {
        store.transact(tx -> {
            sent.require(tx, sender, team, id);
            of(tx, team).delete(id);
            sent.forget(tx, team, id);
            activity.note(tx, team, Activity.Kind.DELETED);
            return id;
        });
        changed(team);
    }

    long count(String team) {
        return of(store, team).count();
    }

    private void changed(String team) {
        activity.trim(team);
        alarm.less(team);
    }

    private static TextGroup of(Keyspace keyspace, String team) {
        return keyspace.group(team + ":" + GROUP);
    }
}
