package dev.ttlstore.sample.operator;

import java.io.FileNotFoundException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.util.ResourceUtils;

import dev.ttlstore.CacheActivity;
import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.StoreActivity;
import dev.ttlstore.StoreStats;
import dev.ttlstore.expiry.DeadLetter;
import dev.ttlstore.sample.web.Now;
import dev.ttlstore.sample.web.Sizes;
import dev.ttlstore.spring.encryption.StoreKeyset;
import dev.ttlstore.spring.encryption.StoreKeysetException;

/** What the operator sees and does: never a value, and too little of a key to read anything with it. */
@Service
class Operations {

    /** The number of groups on a page; few, because counting a group takes time in proportion to its size. */
    static final int GROUPS_PER_PAGE = 25;

    static final int LETTERS_SHOWN = 50;

    private static final String SECRETS = ":secrets";

    /** The number of characters shown of a key. They are 24 of the 144 bits of a generated key. */
    private static final int KEY_SHOWN = 4;

    private final Store store;
    private final Now now;
    private final String keyset;
    private final boolean onlyNode;

    Operations(
            Store store,
            Now now,
            @Value("${store.encryption.keyset:}") String keyset,
            @Value("${store.engine:sqlite}") String engine) {
        this.store = store;
        this.now = now;
        this.keyset = keyset;
        this.onlyNode = engine.equalsIgnoreCase("sqlite");
    }

    record Figures(
            long entries,
            long backlog,
            String lag,
            String cache,
            String file,
            @Nullable Instant lastPurge,
            long pending) {}

    record GroupRow(String name, long entries, long soon) {

        /** Returns the team whose unread secrets these are, or an empty string. */
        String clearable() {
            return entries > 0 && name.endsWith(SECRETS) ? name.substring(0, name.length() - SECRETS.length()) : "";
        }
    }

    /** A page of groups, and the name after which the next page starts, if there is one. */
    record Groups(List<GroupRow> rows, @Nullable String next) {}

    record Letter(
            long id, String subscriber, String group, String key, Instant expiresAt, int attempts, String error) {}

    /** Dead letters, and whether there are more. */
    record Letters(List<Letter> rows, boolean more) {}

    Figures figures() {
        StoreStats stats = store.stats();
        StoreActivity activity = store.activity();
        long pending = store.expirySubscribers().stream()
                .mapToLong(subscriber -> subscriber.pending())
                .sum();
        return new Figures(
                stats.entries(),
                stats.expired(),
                duration(stats.purgeLag()),
                hitRate(activity.cache()),
                Sizes.of(stats.fileBytes() + stats.walBytes()),
                activity.lastPurge(),
                pending);
    }

    Groups groups(String after) {
        List<String> names;
        try (Stream<String> all = store.groups()) {
            names = all.filter(name -> name.compareTo(after) > 0)
                    .limit(GROUPS_PER_PAGE + 1L)
                    .toList();
        }
        boolean more = names.size() > GROUPS_PER_PAGE;
        List<String> shown = more ? names.subList(0, GROUPS_PER_PAGE) : names;
        return new Groups(shown.stream().map(this::group).toList(), more ? shown.get(GROUPS_PER_PAGE - 1) : null);
    }

    private GroupRow group(String name) {
        Group<byte[]> group = store.group(name, byte[].class);
        long entries = group.count();
        long later = group.count(now.get().plus(Duration.ofHours(1)));
        return new GroupRow(name, entries, Math.max(0, entries - later));
    }

    Letters deadLetters() {
        List<Letter> letters = store.expirySubscribers().stream()
                .filter(subscriber -> subscriber.deadLetters() > 0)
                .flatMap(subscriber -> store.deadLetters(subscriber.name()).stream())
                .limit(LETTERS_SHOWN + 1L)
                .map(Operations::shown)
                .toList();
        boolean more = letters.size() > LETTERS_SHOWN;
        return new Letters(more ? letters.subList(0, LETTERS_SHOWN) : letters, more);
    }

    boolean retry(String subscriber, long id) {
        return store.deadLetters(subscriber).retry(id);
    }

    boolean drop(String subscriber, long id) {
        return store.deadLetters(subscriber).discard(id);
    }

    long purge() {
        return store.purgeExpired();
    }

    /** Returns whether keys can be rotated here. Of several nodes each has a copy of the keys, and must get the same new one. */
    boolean canRotateKeys() {
        return onlyNode;
    }

    /**
     * Adds a key, which encrypts secrets after the next start.
     *
     * @throws StoreKeysetException if the keyset file cannot be changed
     * @throws FileNotFoundException if the keyset is not in a file
     */
    void rotateKeys() throws FileNotFoundException {
        StoreKeyset.rotate(ResourceUtils.getFile(keyset).toPath());
    }

    private static Letter shown(DeadLetter letter) {
        String error = letter.lastError().split("[: ]", 2)[0];
        return new Letter(
                letter.id(),
                letter.subscriber(),
                letter.group(),
                shortened(letter.key()),
                letter.expiresAt(),
                letter.attempts(),
                error.substring(error.lastIndexOf('.') + 1));
    }

    private static String shortened(String key) {
        return key.codePoints()
                .limit(Math.min(KEY_SHOWN, key.length() / 2))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .append('…')
                .toString();
    }

    /** Formats a duration in the largest unit that is at least one. */
    private static String duration(Duration duration) {
        if (duration.toDays() > 0) {
            return duration.toDays() + " d";
        }
        if (duration.toHours() > 0) {
            return duration.toHours() + " h";
        }
        return duration.toMinutes() > 0 ? duration.toMinutes() + " min" : duration.toSeconds() + " s";
    }

    private static String hitRate(CacheActivity cache) {
        long reads = cache.hits() + cache.misses();
        return reads == 0 ? "no reads yet" : Math.round(100.0 * cache.hits() / reads) + " %";
    }
}
