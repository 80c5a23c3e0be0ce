package dev.ttlstore.sample.secrets;

import java.time.Duration;
import java.util.Optional;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.stereotype.Service;

import dev.ttlstore.Group;
import dev.ttlstore.Keyspace;
import dev.ttlstore.Store;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.sample.team.Activity;
import dev.ttlstore.sample.team.Activity.Kind;
import dev.ttlstore.sample.team.Activity.Views;
import dev.ttlstore.sample.team.QuotaAlarm;

/**
 * Reports what happens to secrets: in the activity of their team, to the webhook, and when the quota is nearly reached.
 * What needs a transaction is written with the change itself.
 */
@Service
@RegisterReflectionForBinding(Views.class) // for native images: it is stored as JSON
class Notices {

    /** Longer than the lifetime of any secret, even if its expiry is handled late. */
    private static final Duration KEPT = Secret.MAX_TTL.plusDays(30);

    private final Store store;
    private final Activity activity;
    private final Webhook webhook;
    private final QuotaAlarm alarm;

    Notices(Store store, Activity activity, Webhook webhook, QuotaAlarm alarm) {
        this.store = store;
        this.activity = activity;
        this.webhook = webhook;
        this.alarm = alarm;
    }

    /** Notes what has no more to it than its kind. */
    void note(Keyspace transaction, String team, Kind kind) {
        activity.note(transaction, team, kind);
    }

    /**
     * Notes that a secret was read. An expiry does not say how often that was, because its handler gets no value.
     *
     * @param left how often it can still be read
     */
    void read(Keyspace transaction, String team, String id, int left) {
        if (left > 0) {
            Views before = viewed(transaction, team).get(id).orElse(new Views(0, left + 1));
            viewed(transaction, team).put(id, new Views(before.done() + 1, before.of()), KEPT);
        }
        activity.note(transaction, team, Kind.READ);
        webhook.noteRead(transaction, team);
    }

    void guessed(Keyspace transaction, String team) {
        activity.note(transaction, team, Kind.GUESSED);
        webhook.noteGuessed(transaction, team);
    }

    /** Notes an expiry. The store may deliver it twice, and the second time nothing happens. */
    void expired(String team, ExpiredEntry<?> entry) {
        store.transact(tx -> {
            Optional<Views> views = viewed(tx, team).take(entry.key());
            if (activity.noteExpired(tx, team, entry.expiresAt(), entry.version(), views.orElse(null))) {
                webhook.noteExpired(tx, team, entry.expiresAt(), views.orElse(null));
            }
            return team;
        });
        fewer(team);
    }

    /** Forgets how often a secret was read, which is gone. */
    void forget(Keyspace transaction, String team, String id) {
        viewed(transaction, team).delete(id);
    }

    void clear(Keyspace transaction, String team) {
        viewed(transaction, team).clear();
    }

    /** Call this after the commit, when a team has more secrets. */
    void more(String team) {
        activity.trim(team);
        alarm.more(team);
    }

    /** Call this after the commit, when a team has no more secrets than before. */
    void fewer(String team) {
        activity.trim(team);
        alarm.less(team);
    }

    private static Group<Views> viewed(Keyspace keyspace, String team) {
        return keyspace.group("viewed/" + team, Views.class);
    }
}
