package dev.ttlstore.sample.secrets;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

import dev.ttlstore.Entry;
import dev.ttlstore.Keyspace;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.sample.team.Activity;
import dev.ttlstore.sample.team.QuotaAlarm;
import dev.ttlstore.sample.team.Teams;
import dev.ttlstore.sample.web.Now;
import dev.ttlstore.sample.web.Refusal;

import static java.util.Objects.requireNonNull;

/**
 * The secrets of all teams, each in the team's scope, under {@linkplain SecretKeys#stored hashed keys}. Each change
 * is one transaction with everything that belongs to it.
 */
@Service
class Secrets {

    static final String GROUP = "secrets";

    /** The maximum ttl of a secret. */
    static final Duration MAX_TTL = Duration.ofDays(365);

    private final Store store;
    private final Teams teams;
    private final CreationRules rules;
    private final SentSecrets sent;
    private final Activity activity;
    private final Webhook webhook;
    private final QuotaAlarm alarm;
    private final Now now;

    Secrets(
            Store store,
            Teams teams,
            CreationRules rules,
            SentSecrets sent,
            Activity activity,
            Webhook webhook,
            QuotaAlarm alarm,
            Now now) {
        this.store = store;
        this.teams = teams;
        this.rules = rules;
        this.sent = sent;
        this.activity = activity;
        this.webhook = webhook;
        this.alarm = alarm;
        this.now = now;
    }

    /** An unread secret, and the key of its link, which is stored nowhere. */
    record Kept(String key, Instant expiresAt) {}

    /** Stores a secret. A known sender can take it back later. */
    Kept keep(String team, String value, Duration ttl, @Nullable Sender sender) {
        rules.admit(team, ttl);
        teams.admit(team);
        String key = SecretKeys.make();
        String id = SecretKeys.stored(key);
        try {
            store.transact(tx -> {
                of(tx.scope(team)).put(id, value, ttl);
                if (sender != null) {
                    sent.note(tx, sender, team, id, ttl);
                }
                activity.note(tx, team, Activity.Kind.CREATED);
                return id;
            });
        } catch (QuotaExceededException e) {
            throw teams.usedUp(e, MAX_TTL);
        }
        activity.trim(team);
        alarm.more(team);
        // A ttl counts from the commit. The secret may have expired by now, if its ttl is very short.
        return new Kept(key, expiry(team, id).orElseGet(now::get));
    }

    /** Returns when an unread secret expires. This does not use it up. */
    Optional<Instant> expiry(String team, String id) {
        return of(teams.scope(team)).entry(id).map(Entry::expiresAt);
    }

    /** Returns the secret to one caller, and nothing to later ones. */
    Optional<String> reveal(String team, String id) {
        // A secret that is no longer available needs no transaction, which would delay writers.
        if (!of(teams.scope(team)).contains(id)) {
            return Optional.empty();
        }
        Optional<String> value = store.transact(tx -> {
            Optional<String> taken = of(tx.scope(team)).take(id);
            if (taken.isPresent()) {
                sent.forget(tx, team, id);
                activity.note(tx, team, Activity.Kind.READ);
                webhook.noteRead(tx, team);
            }
            return taken;
        });
        changed(team);
        return value;
    }

    /**
     * Extends the ttl of a secret, and returns its new expiry. It is written again, and so encrypted with the current
     * key: no secret stays encrypted with a key for longer than the maximum ttl.
     */
    Instant extend(String team, Sender sender, String id, Duration by) {
        Duration longest = rules.longest();
        Instant latest = now.get().plus(longest);
        Instant end = store.transact(tx -> {
            sent.require(tx, sender, team, id);
            TextGroup secrets = of(tx.scope(team));
            Entry<String> waiting = secrets.entry(id).orElseThrow(Refusal::noSuchSecret);
            Instant longer = requireNonNull(waiting.expiresAt()).plus(by);
            if (longer.isAfter(latest)) {
                throw Refusal.of("by", "must end within " + CreationRules.inWords(longest) + " from now");
            }
            secrets.put(id, waiting.value(), longer);
            sent.renew(tx, team, id, longer);
            activity.note(tx, team, Activity.Kind.EXTENDED);
            return longer;
        });
        activity.trim(team);
        return end;
    }

    /** Deletes a secret for its sender. */
    void delete(String team, Sender sender, String id) {
        store.transact(tx -> {
            sent.require(tx, sender, team, id);
            of(tx.scope(team)).delete(id);
            sent.forget(tx, team, id);
            activity.note(tx, team, Activity.Kind.DELETED);
            return id;
        });
        changed(team);
    }

    /** Deletes all unread secrets of a team, for the operator. Returns how many there were. */
    long clear(String team) {
        long deleted = store.transact(tx -> {
            long count = of(tx.scope(team)).clear();
            sent.clear(tx, team);
            if (count > 0) {
                activity.note(tx, team, Activity.Kind.CLEARED);
            }
            return count;
        });
        changed(team);
        return deleted;
    }

    long count(String team) {
        return of(teams.scope(team)).count();
    }

    private void changed(String team) {
        activity.trim(team);
        alarm.less(team);
    }

    private static TextGroup of(Keyspace team) {
        return team.group(GROUP);
    }
}
