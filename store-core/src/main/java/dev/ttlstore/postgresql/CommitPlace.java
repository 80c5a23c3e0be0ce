package dev.ttlstore.postgresql;

import java.util.UUID;

/**
 * Where a commit is in the log if it was made.
 *
 * @param batch its id
 * @param slot one of its slots
 * @param from its number there is not less than this one
 * @param to nor greater than this one; once a number from here on is used, it cannot be made any more
 */
record CommitPlace(UUID batch, int slot, long from, long to) {}
