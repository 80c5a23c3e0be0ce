package dev.ttlstore.sample;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.stereotype.Service;

import dev.ttlstore.Entry;
import dev.ttlstore.Group;
import dev.ttlstore.KeyRange;
import dev.ttlstore.Store;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.spring.expiry.OnExpiry;

/** What has happened to the secrets of a team, for it to see: never what a secret was, nor its key. */
@Service
@RegisterReflectionForBinding(Activity.Happening.class) // for native images: it is kept as JSON
class Activity {

    private static final Duration KEPT = Duration.ofDays(30);
    private static final int SHOWN = 100;
    private static final String SECRETS = ":" + Secrets.GROUP;

    private final Store store;

    Activity(Store store) {
        this.store = store;
    }

    /** Something that has happened, and when. */
    record Happening(Instant at, String what) {}

    /**
     * A secret has expired, and nobody has read it. This is called at least once for each; the version, which no other secret
     * has, makes the second time do nothing new. Teams come and go, so it is for the groups of all of them.
     */
    @OnExpiry(subscriber = "activity", prefix = "")
    void expiredUnread(ExpiredEntry<byte[]> entry) {
        if (entry.group().endsWith(SECRETS)) {
            String team = entry.group().substring(0, entry.group().length() - SECRETS.length());
            String key = String.format(Locale.ROOT, "%019d", entry.version());
            of(team).put(key, new Happening(entry.expiresAt(), "A secret expired unread"), KEPT);
        }
    }

    /** The last of it, the newest first. */
    List<Happening> last(String team) {
        return of(team).entries(KeyRange.all().reversed().limit(SHOWN))
                .map(Entry::value)
                .toList();
    }

    private Group<Happening> of(String team) {
        return store.scope(team).group("activity", Happening.class);
    }
}
