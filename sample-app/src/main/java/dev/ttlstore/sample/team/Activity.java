package dev.ttlstore.sample.team;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.stereotype.Service;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.ttlstore.Counters;
import dev.ttlstore.Entry;
import dev.ttlstore.Group;
import dev.ttlstore.Keyspace;
import dev.ttlstore.Store;
import dev.ttlstore.event.Watch;
import dev.ttlstore.sample.web.Now;

/**
 * The activity of a team: what has happened to its secrets, without the secrets or their keys. It is stored outside
 * the team's scope, whose quota counts secrets only. The version of an entry is its position in the store's history.
 */
@Service
@RegisterReflectionForBinding(Activity.Happening.class) // for native images: it is stored as JSON
public class Activity {

    /** The approximate number of happenings to keep per team. */
    static final int MAX_KEPT = 200;

    private static final Duration KEPT = Duration.ofDays(30);
    private static final int TRIMMED_AT_ONCE = 20;
    private static final String GROUP = "activity/";

    private static final Set<Kind> USE = Set.of(Kind.READ, Kind.EXPIRED, Kind.GUESSED);

    private final Set<String> trimming = ConcurrentHashMap.newKeySet();
    private final Store store;
    private final Now now;

    Activity(Store store, Now now) {
        this.store = store;
        this.now = now;
    }

    public enum Kind {
        CREATED("A secret was created"),
        READ("A secret was read"),
        EXTENDED("A secret was extended"),
        DELETED("A secret was deleted unread"),
        CLEARED("The operator deleted all unread secrets"),
        EXPIRED("A secret expired unread"),
        GUESSED("A secret was deleted after too many wrong passphrases"),
        NEARLY_FULL("The quota is nearly reached");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** Returns the name of the CSS class. */
        String css() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** How often a secret was read, and how often it could have been. */
    public record Views(int done, int of) {}

    /**
     * Something that has happened, and when.
     *
     * @param views of a secret that has expired, but not unread; otherwise null
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Happening(Instant at, Kind kind, @Nullable Views views) {

        /** Describes it in a sentence. */
        public String text() {
            return views == null ? kind.text : "A secret expired after " + views.done + " of " + views.of + " views";
        }
    }

    public void note(String team, Kind kind) {
        note(store, team, kind);
        trim(team);
    }

    /** Adds a happening in the transaction of the change. Call {@link #trim} after the commit. */
    public void note(Keyspace transaction, String team, Kind kind) {
        of(transaction, team).add(new Happening(now.get(), kind, null), KEPT);
    }

    /**
     * Adds an expiry, in the transaction of what else it causes. Returns whether it is new: the store may deliver an expiry
     * twice, but the version of a secret is unique.
     */
    public boolean noteExpired(Keyspace transaction, String team, Instant at, long version, @Nullable Views views) {
        return of(transaction, team)
                .putIfAbsent(Long.toString(version), new Happening(at, Kind.EXPIRED, views), KEPT)
                .isPresent();
    }

    /**
     * Removes the oldest happenings, so that a busy team does not fill the disk. Concurrent calls for a team do it
     * once.
     */
    public void trim(String team) {
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
                inOrder(happenings.entries()).limit(TRIMMED_AT_ONCE).toList();
        oldest.forEach(entry -> happenings.delete(entry.key()));
        long newest = oldest.get(oldest.size() - 1).version();
        trimmed(transaction)
                .put(team, Math.max(newest, trimmed(transaction).get(team).orElse(0L)), KEPT);
        return oldest.size();
    }

    /** Returns the happenings, the newest first. */
    public List<Happening> last(String team) {
        return of(store, team)
                .entries()
                .map(Entry::value)
                .sorted(Comparator.comparing(Happening::at).reversed())
                .toList();
    }

    /** Returns the happenings after a position in the store's history, in its order. */
    List<Entry<Happening>> after(String team, long version) {
        return inOrder(of(store, team).entries().filter(entry -> entry.version() > version))
                .toList();
    }

    /** Returns whether a happening after that position was trimmed. */
    boolean isTrimmedAfter(String team, long version) {
        return trimmed(store).get(team).orElse(0L) > version;
    }

    /** Returns whether anyone but senders has done something to the secrets of a team. */
    boolean isUsed(Keyspace transaction, String team) {
        return of(transaction, team)
                .entries()
                .anyMatch(entry -> USE.contains(entry.value().kind()));
    }

    void forget(Keyspace transaction, String team) {
        of(transaction, team).clear();
        trimmed(transaction).delete(team);
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

    /** Sorts happenings by their position in the store's history. */
    private static Stream<Entry<Happening>> inOrder(Stream<Entry<Happening>> happenings) {
        return happenings.sorted(Comparator.comparingLong(Entry::version));
    }

    /** Returns the position in the store's history up to which a team's happenings were trimmed. */
    private static Counters trimmed(Keyspace keyspace) {
        return keyspace.counters("activity-trimmed");
    }

    private static Group<Happening> of(Keyspace keyspace, String team) {
        return keyspace.group(GROUP + team, Happening.class);
    }
}
