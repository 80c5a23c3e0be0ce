package dev.ttlstore.sqlite;

/**
 * The progress of a checkpoint.
 *
 * @param hindered whether a reader that needs the WAL, or another checkpoint, kept it from completing
 * @param frames how many pages the WAL has
 * @param copied how many of these pages are in the file
 */
record CheckpointProgress(boolean hindered, int frames, int copied) {

    int pending() {
        return frames - copied;
    }
}
