package dev.ttlstore;

/** What a write has survived when it returns. */
public enum Durability {

    /**
     * A killed process: the write is with the operating system. A power cut may cost the last writes, never the file. This
     * is the default, and fast.
     */
    NORMAL,

    /** A power cut as well: the write has reached the disk. Writers that come together share the wait for it. */
    FULL
}
