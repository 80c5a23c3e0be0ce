package dev.ttlstore;

/** Which failures a write survives once it has returned. */
public enum Durability {

    /**
     * Survives a killed process: the operating system has the write. A power failure can lose the last writes, but
     * never the file. This is the default, and fast.
     */
    NORMAL,

    /** Also survives a power failure: the write is on the disk. Concurrent writers share the wait for it. */
    FULL
}
