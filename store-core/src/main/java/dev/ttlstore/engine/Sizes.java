package dev.ttlstore.engine;

/**
 * The room that a store uses, in bytes.
 *
 * @param file the size of its file; 0 if there is none
 * @param wal the size of the write-ahead log beside it; 0 if there is none
 */
public record Sizes(long file, long wal) {

    /** The sizes of a store without a file. */
    public static final Sizes NONE = new Sizes(0, 0);
}
