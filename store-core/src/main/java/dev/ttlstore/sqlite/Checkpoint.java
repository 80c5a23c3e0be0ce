package dev.ttlstore.sqlite;

/** The modes of a checkpoint of the WAL. */
enum Checkpoint {
    /** Copies nothing, and returns the length of the WAL. */
    NOOP,
    /** Copies what no reader needs any more, and waits for nobody. */
    PASSIVE,
    /**
     * Copies everything, and waits, up to a timeout, until no reader needs the WAL any more, so that it restarts.
     */
    RESTART,
    /** Does the same as RESTART, and also gives back the room of the WAL. */
    TRUNCATE;

    private final String sql = "PRAGMA wal_checkpoint(" + this + ")";

    /**
     * The progress of a checkpoint.
     *
     * @param hindered whether a reader that needs the WAL, or another checkpoint, kept it from completing
     * @param frames how many pages the WAL has
     * @param copied how many of these pages are in the file
     */
    record Progress(boolean hindered, int frames, int copied) {

        int pending() {
            return frames - copied;
        }
    }

    String sql() {
        return sql;
    }
}
