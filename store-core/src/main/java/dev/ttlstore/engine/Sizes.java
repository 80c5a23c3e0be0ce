package dev.ttlstore.engine;

/**
 * How much room a store takes, in bytes.
 *
 * @param file the size of its file; 0 when there is none
 * @param wal the size of the write-ahead log beside it; 0 when there is none
 */
public record Sizes(long file, long wal) {

    /** What a store without a file takes. */
    public static final Sizes NONE = new Sizes(0, 0);
}
