package dev.ttlstore.engine.commit;

import dev.ttlstore.exception.QuotaExceededException.Amounts;

/** Quotas to test with. */
public final class Limit {

    private Limit() {}

    /** Limits the number of keys only. */
    public static Amounts keys(long keys) {
        return new Amounts(keys, 0, 0);
    }
}
