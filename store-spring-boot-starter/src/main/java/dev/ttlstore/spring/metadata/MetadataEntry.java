package dev.ttlstore.spring.metadata;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.spring.keys.TextKeys;

/**
 * A key with its value, as the store has them. If the key is too long for the store, so that its hash takes its place, the text of the
 * value has it as well: the length of the key, a colon, the key, the value.
 *
 * @param key the key of the entry
 * @param name the key that the application uses
 * @param value the value
 */
record MetadataEntry(String key, String name, String value) {

    /** Returns what an application puts. */
    static MetadataEntry of(@Nullable String name, @Nullable String value) {
        if (value == null) {
            throw new IllegalArgumentException("'value' must not be null");
        }
        String key = key(name);
        return new MetadataEntry(key, name == null ? key : name, value);
    }

    /** Returns what the store has. */
    static MetadataEntry stored(String key, String text) {
        int colon = TextKeys.isHash(key) ? text.indexOf(':') : -1;
        if (colon < 0) {
            return new MetadataEntry(key, key, text);
        }
        int end = colon + 1 + Integer.parseInt(text, 0, colon, 10);
        return new MetadataEntry(key, text.substring(colon + 1, end), text.substring(end));
    }

    static String key(@Nullable String name) {
        if (name == null) {
            throw new IllegalArgumentException("'key' must not be null");
        }
        return TextKeys.of(name);
    }

    /** Returns the text that the store keeps. */
    String text() {
        return TextKeys.isHash(key) ? name.length() + ":" + name + value : value;
    }

    /** Returns a text without the key and the value, which may be secrets. */
    @Override
    public String toString() {
        return "MetadataEntry";
    }
}
