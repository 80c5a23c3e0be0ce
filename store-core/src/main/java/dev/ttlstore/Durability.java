package dev.ttlstore;

/**
 * Which failures a write survives once it has returned.
 *
 * @since 0.1
 * @see StoreBuilder#durability
 */
public enum Durability {

    /**
     * Survives a killed process: the operating system has the write. A power failure can lose the last writes, but
     * never the file. This is the default, and fast.
     */
    NORMAL,

    /** Also survives a power failure: the write is on the disk. Concurrent writers share the wait for it. */
    FULL
}
