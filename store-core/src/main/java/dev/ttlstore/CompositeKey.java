package dev.ttlstore;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.ttlstore.engine.Names;

/**
 * Makes keys of several parts, such as a partition and the columns that order it. Keys are ordered by their first
 * parts, then by their second parts, and so on. Parts are ordered by their UTF-8 bytes:
 *
 * <pre>{@code
 * TextGroup readings = store.group("readings");
 * readings.put(CompositeKey.of("sensor-7", "2026-11-21T08:00"), "19.5");
 * try (Stream<Entry<String>> ofSensor = readings.entries(CompositeKey.startingWith("sensor-7"))) {
 *     ofSensor.forEach(reading -> log.info("{}", reading.value()));
 * }
 * }</pre>
 *
 * <p>U+0001 separates the parts. It is the lowest character that a key may contain, so a shorter part comes before a
 * longer one that starts with it. U+0001 and U+0002 within a part are escaped with U+0002 in a way that keeps the
 * order.
 *
 * @since 0.1
 * @see KeyRange
 * @see Group
 */
public final class CompositeKey {

    private static final char SEPARATOR = '\u0001';
    private static final char ESCAPE = '\u0002';

    private CompositeKey() {}

    /**
     * Joins parts to a key.
     *
     * @param parts the parts, at least one; a part may be empty if there are two or more
     * @return the key
     * @throws IllegalArgumentException if there is no part, or a part contains NUL or half of a surrogate pair
     */
    public static String of(String... parts) {
        String key = join(parts);
        if (key.isEmpty()) {
            throw new IllegalArgumentException("'parts' must not be one empty part; a key must not be empty");
        }
        return key;
    }

    private static String join(String... parts) {
        Objects.requireNonNull(parts, "'parts' must not be null");
        if (parts.length == 0) {
            throw new IllegalArgumentException("'parts' must not be empty");
        }
        StringBuilder key = new StringBuilder();
        for (int i = 0; i < parts.length; i++) {
            if (i > 0) {
                key.append(SEPARATOR);
            }
            append(key, Names.requirePrefix(parts[i], "parts"));
        }
        return key.toString();
    }

    /**
     * Splits a key into its parts.
     *
     * @param key a key that {@link #of} has made
     * @return its parts
     * @throws IllegalArgumentException if {@link #of} cannot have made the key
     */
    public static List<String> parts(String key) {
        Names.require(key, "key");
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (c == SEPARATOR) {
                parts.add(part.toString());
                part.setLength(0);
            } else if (c == ESCAPE) {
                i++;
                part.append(unescape(i < key.length() ? key.charAt(i) : SEPARATOR));
            } else {
                part.append(c);
            }
        }
        parts.add(part.toString());
        return parts;
    }

    /**
     * Returns the range of the keys that start with some parts and have more parts.
     *
     * @param parts the first parts
     * @return the range, in the order of the remaining parts
     * @throws IllegalArgumentException if there is no part, or a part contains NUL or half of a surrogate pair
     */
    public static KeyRange startingWith(String... parts) {
        return KeyRange.prefix(join(parts) + SEPARATOR);
    }

    // U+0001 becomes U+0002 U+0002, and U+0002 becomes U+0002 U+0003: both are above the separator and keep their
    // order.
    private static void append(StringBuilder key, String part) {
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c == SEPARATOR || c == ESCAPE) {
                key.append(ESCAPE).append((char) (c + 1));
            } else {
                key.append(c);
            }
        }
    }

    private static char unescape(char c) {
        if (c != SEPARATOR + 1 && c != ESCAPE + 1) {
            throw new IllegalArgumentException("'key' must have been made by CompositeKey.of");
        }
        return (char) (c - 1);
    }
}
