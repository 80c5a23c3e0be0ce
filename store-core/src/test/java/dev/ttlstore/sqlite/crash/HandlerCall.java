package dev.ttlstore.sqlite.crash;

/**
 * A call of a handler.
 *
 * @param key the key of the entry that has expired
 * @param number its value, by which it is known
 * @param version its version
 * @param expiresAt when it expired, in milliseconds since the epoch
 * @param attempt which attempt it is
 * @param time when the handler was called
 */
record HandlerCall(String key, long number, long version, long expiresAt, int attempt, long time) {

    /** What a process has said about a call. */
    static HandlerCall heard(String[] words) {
        return new HandlerCall(
                words[2],
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                Long.parseLong(words[5]),
                Integer.parseInt(words[6]),
                Long.parseLong(words[7]));
    }
}
