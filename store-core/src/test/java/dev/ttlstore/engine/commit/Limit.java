package dev.ttlstore.engine.commit;

import dev.ttlstore.engine.QuotaGuard;
import dev.ttlstore.engine.UsageTotals;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.QuotaExceededException.Amounts;

/** A quota to test with. */
public record Limit(long keys, long groups, long bytes) implements QuotaGuard {

    static final long NONE = Long.MAX_VALUE;

    public static Limit keys(long keys) {
        return new Limit(keys, NONE, NONE);
    }

    @Override
    public boolean admits(UsageTotals usage) {
        return usage.keys() <= keys && usage.groups() <= groups && usage.bytes() <= bytes;
    }

    @Override
    public RuntimeException refusal(String namespace, UsageTotals usage) {
        return new QuotaExceededException(
                namespace, new Amounts(keys, groups, bytes), new Amounts(usage.keys(), usage.groups(), usage.bytes()));
    }
}
