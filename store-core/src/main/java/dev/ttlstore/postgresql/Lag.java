package dev.ttlstore.postgresql;

/** How far a renewed row may lag behind in the expiry index. Its renewals leave the index unchanged meanwhile. */
final class Lag {

    /** Ten minutes. With more, rows that are renewed often would move less often, but walks would start further back. */
    static final long MAX_MILLIS = 600_000;

    /**
     * The due time of a row that is changed: it keeps the one that it has, unless that is after the new expiry or too far before
     * it. The new expiry is %1$s, the due time so far %2$s.
     */
    static final String DUE_AT = """
            CASE WHEN %%2$s BETWEEN %%1$s - %d AND %%1$s THEN %%2$s ELSE %%1$s END
            """.formatted(MAX_MILLIS);

    private Lag() {}

    /** Returns the earliest place in the expiry index that a row with an expiry may have. */
    static long firstDue(long expiresAt) {
        return expiresAt < Long.MIN_VALUE + 1 + MAX_MILLIS ? Long.MIN_VALUE + 1 : expiresAt - MAX_MILLIS;
    }
}
