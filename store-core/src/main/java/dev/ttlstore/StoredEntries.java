package dev.ttlstore;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.ValueTooLargeException;

/**
 * Gives tools that move entries access to the stored form. Values are neither decoded nor decrypted. A sealed value can
 * be read again only under the same group and key, with the same cipher. Applications use groups instead. Thread-safe.
 *
 * <pre>{@code
 * StoredEntries entries = store.stored();
 * try (Stream<StoredEntry> config = entries.entries("config", "")) {
 *     config.forEach(entry -> log.info("{} has {} bytes", entry.key(), entry.value().length));
 * }
 * }</pre>
 *
 * @since 0.1
 * @see Store#stored()
 * @see StoredEntry
 * @see dev.ttlstore.export.StoreExport
 */
public interface StoredEntries {

    /** The outcome of the put of an entry. */
    enum Outcome {

        /** There was no entry under its key. */
        CREATED,

        /** It replaced another one. */
        REPLACED,

        /** There was such an entry already: the same value, times and expiry. Nothing was written. */
        UNCHANGED,

        /** There was another one, which was kept. */
        KEPT,

        /** It has expired, so nothing was written. */
        EXPIRED
    }

    /**
     * Lists groups with a live entry, in the order of their names. The stream is lazy and reads in pages.
     *
     * @param prefix the beginning of their full names, such as {@code acme:} for those of a scope; empty for all
     * @param after the full name after which the list starts; empty for the first
     * @return the full names
     */
    Stream<String> groups(String prefix, String after);

    /**
     * Lists the live entries of a group, in the order of their keys. The stream is lazy and reads in pages. It may or may not show
     * writes that happen meanwhile.
     *
     * @param group the full name of the group
     * @param after the key after which the list starts; empty for the first
     * @return the entries
     * @throws IllegalArgumentException if the name is not valid
     */
    Stream<StoredEntry> entries(String group, String after);

    /**
     * Reads a live entry.
     *
     * @param group the full name of its group
     * @param key its key
     * @return the entry; empty if there is none
     * @throws IllegalArgumentException if the name of the group or the key is not valid
     */
    Optional<StoredEntry> entry(String group, String key);

    /**
     * Returns how large a value may be, before it is sealed.
     *
     * @return the limit of the store, in bytes
     */
    int maxValueSize();

    /**
     * Checks whether {@link #put} could take an entry, whatever the store holds. Writes nothing.
     *
     * @param entry the entry
     * @throws IllegalArgumentException if its group or key is not valid, its update is before its creation, or its
     *     expiry is out of range
     * @throws ValueTooLargeException if its value is too large
     */
    void check(StoredEntry entry);

    /**
     * Puts entries, all in one commit. They keep their times and their expiry, and get new versions. A time in the
     * store's future becomes the store's time. The store publishes an event for each entry that it creates or replaces.
     *
     * @param entries the entries
     * @param replace whether to replace an entry that differs; otherwise it is kept
     * @return the outcomes, in the order of the entries
     * @throws IllegalArgumentException if {@link #check} rejects an entry; nothing was written
     * @throws ValueTooLargeException if a value is too large; nothing was written
     * @throws QuotaExceededException if a scope has no room for them; nothing was written
     */
    List<Outcome> put(Collection<StoredEntry> entries, boolean replace);
}
