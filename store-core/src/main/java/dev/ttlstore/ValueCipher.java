package dev.ttlstore;

import java.security.GeneralSecurityException;

/**
 * Seals values before they are stored and opens them when they are read, so that what is in the file is of no use without the
 * key of the cipher; see {@link StoreBuilder#encrypt}. It stands behind the {@link Codec}, and unlike it knows where a value
 * belongs: a cipher that authenticates the names of group and key with the value, as AEAD does with its associated data, has
 * a value that somebody has moved to another place not open there.
 *
 * <p>The same value may be sealed differently each time, as with a random nonce: the store opens what it compares. A cipher is
 * used by many threads at once. It is called in the thread of the caller; for {@link Group#replace(String, Object, Object)},
 * {@link Group#delete(String, Object)} and {@link Counters#increment(String)} within the commit, which others wait for, so it
 * should ask no other machine each time, and must not use the store.
 */
public interface ValueCipher {

    /**
     * Seals a value.
     *
     * @param group the group's full name, as it is in the store: in a scope {@code namespace:name}
     * @param key the entry's key
     * @param value the encoded value, possibly empty; the cipher must not change it
     * @return what to store in its place, in an array that the cipher does not keep
     * @throws GeneralSecurityException if it cannot be sealed; no message may hold a value
     */
    byte[] seal(String group, String key, byte[] value) throws GeneralSecurityException;

    /**
     * Opens a value.
     *
     * @param group the group's full name, as it is in the store
     * @param key the entry's key
     * @param sealed what is stored, in an array of the cipher's own
     * @return the encoded value, in an array that the cipher does not keep
     * @throws GeneralSecurityException if these bytes do not open here: they were sealed with another key or for another
     *     place, were changed, or were never sealed. When the cipher itself does not work it throws something else, which is
     *     not taken for an unreadable value
     */
    byte[] open(String group, String key, byte[] sealed) throws GeneralSecurityException;
}
