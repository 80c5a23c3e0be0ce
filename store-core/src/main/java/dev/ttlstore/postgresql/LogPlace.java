package dev.ttlstore.postgresql;

import java.util.UUID;

/**
 * A place in the log of a slot: that of a commit.
 *
 * @param seq the number of the commit; the last one if it has several
 * @param batch its id
 */
record LogPlace(long seq, UUID batch) {
    /** Tests whether there may have been commits between this place and the first one that was read. */
    boolean isBehind(LogRow first) {
        return first.seq() > seq || (first.seq() == seq && !first.batch().equals(batch));
    }
}
