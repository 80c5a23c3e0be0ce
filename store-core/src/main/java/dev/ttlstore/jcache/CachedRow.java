package dev.ttlstore.jcache;

/**
 * A live entry of a cache, as of the moment when it was read.
 *
 * @param text the text of the key
 * @param version the version by which the entry can be replaced
 * @param key the key
 * @param value the value
 * @param bytes the size of the value as it is stored
 * @param <K> the type of the key
 * @param <V> the type of the value
 */
record CachedRow<K, V>(String text, long version, K key, V value, int bytes) {

    /** Returns a text without the key and the value, which may be secrets. */
    @Override
    public String toString() {
        return "Row[version=" + version + "]";
    }
}
