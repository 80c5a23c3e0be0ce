package dev.ttlstore.sample.secrets;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.stereotype.Service;

import dev.ttlstore.Entry;
import dev.ttlstore.Group;
import dev.ttlstore.Keyspace;
import dev.ttlstore.Store;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.sample.team.Activity.Kind;
import dev.ttlstore.sample.team.Teams;
import dev.ttlstore.sample.web.Now;
import dev.ttlstore.sample.web.Refusal;

import static java.util.Objects.requireNonNull;

/**
 * The secrets of all teams, each in the team's scope, under {@linkplain SecretKeys#stored hashed keys}. Each change
 * is one transaction with everything that belongs to it.
 */
@Service
@RegisterReflectionForBinding(Secret.class) // for native images: it is stored as JSON
class Secrets {

    static final String GROUP = "secrets";

    private final Store store;
    private final Teams teams;
    private final CreationRules rules;
    private final Passphrases passphrases;
    private final SentSecrets sent;
    private final Notices notices;
    private final SecretCodec codec;
    private final Now now;

    Secrets(
            Store store,
            Teams teams,
            CreationRules rules,
            Passphrases passphrases,
            SentSecrets sent,
            Notices notices,
            SecretCodec codec,
            Now now) {
        this.store = store;
        this.teams = teams;
        this.rules = rules;
        this.passphrases = passphrases;
        this.sent = sent;
        this.notices = notices;
        this.codec = codec;
        this.now = now;
    }

    /** An unread secret, and the key of its link, which is stored nowhere. */
    record Kept(String key, Instant expiresAt) {

        /** Omits the key, because frameworks may log what they write. */
        @Override
        public String toString() {
            return "Kept[expiresAt=" + expiresAt + "]";
        }
    }

    /** Stores a secret. A known sender can take it back later. */
    Kept keep(String team, NewSecret.Checked checked, @Nullable Sender sender) {
        Duration ttl = checked.ttl();
        rules.admit(team, checked);
        Secret secret =
                new Secret(checked.value(), checked.views(), passphrases.hash(checked.passphrase()), checked.sealed());
        String key = SecretKeys.make();
        String id = SecretKeys.stored(key);
        try {
            store.transact(tx -> {
                of(tx.scope(team)).put(id, secret, ttl);
                if (sender != null) {
                    sent.note(tx, sender, team, id, ttl);
                }
                notices.note(tx, team, Kind.CREATED);
                return id;
            });
        } catch (QuotaExceededException e) {
            throw teams.usedUp(e, Secret.MAX_TTL);
        }
        notices.more(team);
        // A ttl counts from the commit. The secret may have expired by now, if its ttl is very short.
        return new Kept(key, look(team, id).map(Waiting::expiresAt).orElseGet(now::get));
    }

    /**
     * The state of an unread secret, without its text.
     *
     * @param views how often it can still be revealed
     * @param sealed whether the text can be read only with the key that the sender's browser has put into the link
     */
    record Waiting(Instant expiresAt, int views, boolean needsPassphrase, boolean sealed) {}

    /**
     * A secret as a reader gets it.
     *
     * @param views how often it can still be revealed
     */
    record Revealed(String value, int views, boolean sealed) {

        /** Omits the value, because frameworks may log what they write. */
        @Override
        public String toString() {
            return "Revealed[views=" + views + "]";
        }
    }

    /** Describes an unread secret. This does not use it up. */
    Optional<Waiting> look(String team, String id) {
        return of(teams.scope(team)).entry(id).map(entry -> {
            Secret secret = entry.value();
            return new Waiting(
                    requireNonNull(entry.expiresAt()), secret.views(), secret.passphrase() != null, secret.sealed());
        });
    }

    /**
     * Returns the secret to as many callers as its sender allows, and nothing to later ones.
     *
     * @throws Refusal if the passphrase is missing or wrong
     */
    Optional<Revealed> reveal(String team, String id, @Nullable String passphrase) {
        // Outside of a transaction: a hash takes time, and a secret that is gone needs no transaction.
        Optional<Secret> waiting = of(teams.scope(team)).get(id);
        if (waiting.isEmpty()) {
            return Optional.empty();
        }
        passphrases.check(id, waiting.get(), passphrase, () -> deleteGuessed(team, id));
        Optional<Secret> viewed = store.transact(tx -> {
            Group<Secret> secrets = of(tx.scope(team));
            Optional<Secret> secret = secrets.get(id);
            secret.ifPresent(read -> {
                notices.read(tx, team, id, read.views() - 1);
                if (secrets.updateOrDelete(id, Secret::viewed).isEmpty()) {
                    forget(tx, team, id);
                }
            });
            return secret;
        });
        notices.fewer(team);
        return viewed.map(secret -> new Revealed(secret.value(), secret.views() - 1, secret.sealed()));
    }

    /**
     * Extends the ttl of a secret, and returns its new expiry. However often that is done, a secret lives no longer than
     * its sender could have chosen when it was created. It is written again, and so encrypted with the current
     * key: no secret stays encrypted with a key for longer than the maximum ttl.
     */
    Instant extend(String team, Sender sender, String id, Duration by) {
        Duration longest = rules.longest();
        Instant end = store.transact(tx -> {
            sent.require(tx, sender, team, id);
            Group<Secret> secrets = of(tx.scope(team));
            Entry<Secret> waiting = secrets.entry(id).orElseThrow(Refusal::noSuchSecret);
            Instant longer = requireNonNull(waiting.expiresAt()).plus(by);
            if (longer.isAfter(waiting.createdAt().plus(longest))) {
                throw Refusal.of("by", "must end within " + CreationRules.inWords(longest) + " after the creation");
            }
            secrets.put(id, waiting.value(), longer);
            sent.renew(tx, team, id, longer);
            notices.note(tx, team, Kind.EXTENDED);
            return longer;
        });
        notices.fewer(team);
        return end;
    }

    /** Deletes a secret for its sender. */
    void delete(String team, Sender sender, String id) {
        store.transact(tx -> {
            sent.require(tx, sender, team, id);
            Group<Secret> secrets = of(tx.scope(team));
            secrets.delete(id);
            forget(tx, team, id);
            notices.note(tx, team, Kind.DELETED);
            if (secrets.count() == 0) {
                teams.freeIfUnused(tx, team);
            }
            return id;
        });
        notices.fewer(team);
    }

    /** Deletes a secret for which somebody has guessed too often. */
    private void deleteGuessed(String team, String id) {
        store.transact(tx -> {
            if (of(tx.scope(team)).delete(id)) {
                forget(tx, team, id);
                notices.guessed(tx, team);
            }
            return id;
        });
        notices.fewer(team);
    }

    /** Deletes all unread secrets of a team, for the operator. Returns how many there were. */
    long clear(String team) {
        long deleted = store.transact(tx -> {
            long count = of(tx.scope(team)).clear();
            sent.clear(tx, team);
            notices.clear(tx, team);
            if (count > 0) {
                notices.note(tx, team, Kind.CLEARED);
            }
            teams.free(tx, team);
            return count;
        });
        notices.fewer(team);
        return deleted;
    }

    long count(String team) {
        return of(teams.scope(team)).count();
    }

    /** Forgets what else is stored of a secret that is gone. */
    private void forget(Keyspace transaction, String team, String id) {
        sent.forget(transaction, team, id);
        notices.forget(transaction, team, id);
        passphrases.forget(transaction, id);
    }

    private Group<Secret> of(Keyspace team) {
        return team.group(GROUP, codec);
    }
}
