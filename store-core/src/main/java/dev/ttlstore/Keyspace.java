package dev.ttlstore;

import java.util.stream.Stream;

/** Where groups are found. Thread-safe. */
public interface Keyspace {

    /**
     * A group of texts. A group needs no creation: it is there while it has an entry.
     *
     * @param name 1 to 1,024 bytes of UTF-8, without NUL; no character has a special meaning, and case counts
     * @return the group
     * @throws IllegalArgumentException if the name is not such
     */
    TextGroup group(String name);

    /**
     * A group of values of a class: {@code String}, {@code byte[]}, {@code Long}, or what the store's codecs know.
     *
     * @param name the group's name, as in {@link #group(String)}
     * @param type the class of the values
     * @return the group
     * @param <V> the type of the values
     * @throws IllegalArgumentException if the name is not valid
     * @throws CodecException if there is no codec for the class
     */
    <V> Group<V> group(String name, Class<V> type);

    /**
     * A group of values with a codec of their own.
     *
     * @param name the group's name, as in {@link #group(String)}
     * @param codec what turns values into bytes and back
     * @return the group
     * @param <V> the type of the values
     * @throws IllegalArgumentException if the name is not valid
     */
    <V> Group<V> group(String name, Codec<V> codec);

    /**
     * The names of the groups that have a live entry, in the order of their UTF-8 bytes. The stream is lazy and reads in
     * pages: it may be left half-read, and the store may be written meanwhile, what then is seen or not.
     *
     * @return the names
     */
    Stream<String> groups();

    /**
     * Counts the live entries of all groups. The cost grows with the number of entries.
     *
     * @return how many there are
     */
    long count();
}
