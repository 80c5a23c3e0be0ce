package dev.ttlstore.sample;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.stereotype.Service;

import dev.ttlstore.Counters;
import dev.ttlstore.Entry;
import dev.ttlstore.Group;
import dev.ttlstore.KeyRange;
import dev.ttlstore.Keyspace;
import dev.ttlstore.Store;
import dev.ttlstore.event.Watch;

/**
 * The activity of a team: what has happened to its secrets, without the secrets or their keys. It is stored outside
 * the team's scope, whose quota counts secrets only. The version of an entry is its position in the store's history.
 */
@Service
@RegisterReflectionForBinding(Activity.Happening.class) // for native images: it is stored as JSON
class Activity {

    /** The approximate number of happenings to keep per team. */
    static final int MAX_KEPT = 200;

    private static final Duration KEPT = Duration.ofDays(30);
    private static final int TRIMMED_AT_ONCE = 20;
    private static final String GROUP = "activity/";

    private final Set<String> trimming = ConcurrentHashMap.newKeySet();
    private final Store store;
    private final Now now;

    Activity(Store store, Now now) {
        this.store = store;
        this.now = now;
    }

    enum Kind {
        CREATED("A secret was created"),
        READ("A secret was read"),
        EXTENDED("A secret was extended"),
        DELETED("A secret was deleted unread"),
        EXPIRED("A secret expired unread"),
        NEARLY_FULL("The quota is nearly reached");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }

        /** Returns the name of the CSS class. */
        String css() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Something that has happened, and when. */
    record Happening(Instant at, Kind kind) {}

    void note(String team, Kind kind) {
        note(store, team, kind);
        trim(team);
    }

    /** Adds a happening in the transaction of the change. Call {@link #trim} after the commit. */
    void note(Keyspace transaction, String team, Kind kind) {
        Instant at = now.get();
        of(transaction, team).put(key(at, UUID.randomUUID().toString()), new Happening(at, kind), KEPT);
    }

    /**
     * Adds an expiry. The store may deliver an expiry twice. The version of a secret is unique, so this is
     * idempotent.
     */
    void noteExpired(String team, Instant at, long version) {
        String key = key(at, String.format(Locale.ROOT, "%019d", version));
        of(store, team).putIfAbsent(key, new Happening(at, Kind.EXPIRED), KEPT);
        trim(team);
    }

    /**
     * Removes the oldest happenings, so that a busy team does not fill the disk. Concurrent calls for a team do it
     * once.
     */
    void trim(String team) {
        if (of(store, team).count() > MAX_KEPT && trimming.add(team)) {
            try {
                store.transact(tx -> letGo(tx, team));
            } finally {
                trimming.remove(team);
            }
        }
    }

    private static int letGo(Keyspace transaction, String team) {
        Group<Happening> happenings = of(transaction, team);
        if (happenings.count() <= MAX_KEPT) { // trimmed by another call
            return 0;
        }
        List<Entry<Happening>> oldest =
                happenings.entries(KeyRange.all().limit(TRIMMED_AT_ONCE)).toList();
        oldest.forEach(entry -> happenings.delete(entry.key()));
        long newest = oldest.stream().mapToLong(Entry::version).max().orElse(0);
        trimmed(transaction)
                .put(team, Math.max(newest, trimmed(transaction).get(team).orElse(0L)), KEPT);
        return oldest.size();
    }

    /** Returns the happenings, the newest first. */
    List<Happening> last(String team) {
        return of(store, team)
                .entries(KeyRange.all().reversed())
                .map(Entry::value)
                .toList();
    }

    /** Returns the happenings after a position in the store's history, in its order. */
    List<Entry<Happening>> after(String team, long version) {
        return of(store, team)
                .entries()
                .filter(entry -> entry.version() > version)
                .sorted(Comparator.comparingLong(Entry::version))
                .toList();
    }

    /** Returns whether a happening after that position was trimmed. */
    boolean isTrimmedAfter(String team, long version) {
        return trimmed(store).get(team).orElse(0L) > version;
    }

    Optional<Entry<Happening>> entry(String team, String key) {
        return of(store, team).entry(key);
    }

    Watch watch(String team) {
        return of(store, team).watch();
    }

    boolean isEmpty(String team) {
        return of(store, team).count() == 0;
    }

    /** Returns the teams with activity. The stream must be closed. */
    Stream<String> teams() {
        return store.groups(GROUP).map(group -> group.substring(GROUP.length()));
    }

    private static String key(Instant at, String rest) {
        return String.format(Locale.ROOT, "%016d-%s", at.toEpochMilli(), rest);
    }

    /** Returns the position in the store's history up to which a team's happenings were trimmed. */
    private static Counters trimmed(Keyspace keyspace) {
        return keyspace.counters("activity-trimmed");
    }

    private static Group<Happening> of(Keyspace keyspace, String team) {
        return keyspace.group(GROUP + team, Happening.class);
    }
}
