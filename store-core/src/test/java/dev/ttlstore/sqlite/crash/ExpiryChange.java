package dev.ttlstore.sqlite.crash;

import java.time.Duration;

import dev.ttlstore.TextGroup;

/**
 * A change to what is to expire.
 *
 * @param kind what to do
 * @param key the key, which one thread alone changes
 * @param number the value to put, larger than all before under this key
 * @param ttl how long the entry is to live from now on, in milliseconds
 */
record ExpiryChange(Kind kind, String key, long number, long ttl) {

    enum Kind {
        PUT,
        RENEW,
        DELETE
    }

    /** What a child process has said that it is about to do. */
    static ExpiryChange heard(String words) {
        String[] parts = words.split(",", -1);
        return new ExpiryChange(Kind.valueOf(parts[0]), parts[1], Long.parseLong(parts[2]), Long.parseLong(parts[3]));
    }

    String said() {
        return kind + "," + key + "," + number + "," + ttl;
    }

    /** Makes the change, and tells whether there was a live entry to make it to; a put needs none. */
    boolean on(TextGroup group) {
        return switch (kind) {
            case PUT -> {
                group.put(key, Long.toString(number), Duration.ofMillis(ttl));
                yield true;
            }
            case RENEW -> group.expire(key, Duration.ofMillis(ttl));
            case DELETE -> group.delete(key);
        };
    }
}
