package dev.ttlstore.engine;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * What all commits of a store share.
 *
 * @param retained the groups whose expired rows are retained when they are removed; ranges that do not overlap
 * @param quotas the quotas of namespaces
 * @param known returns a row that the store has in memory, as of the last commit; null if it has none. Used only for rows that are live
 * @param clock tells whether the store's clock is, or was, far ahead
 * @since 0.1
 */
public record CommitSettings(
        List<GroupRange> retained, Quotas quotas, Function<RowKey, @Nullable Row> known, StoreClock clock) {

    /**
     * Returns settings of a store that has no rows in memory.
     *
     * @param retained the groups whose expired rows are retained when they are removed; ranges that do not overlap
     * @param quotas the quotas of namespaces
     * @param clock tells whether the store's clock is, or was, far ahead
     * @return the settings
     */
    public static CommitSettings of(List<GroupRange> retained, Quotas quotas, StoreClock clock) {
        return new CommitSettings(retained, quotas, key -> null, clock);
    }

    /**
     * Returns settings for what is committed already: no quota can refuse it any more, and it was decided when the clock was right.
     *
     * @return the same without quotas, and without a leap of the clock
     */
    public CommitSettings afterwards() {
        return new CommitSettings(retained, new Quotas(), known, clock.withoutLeap());
    }

    /**
     * Returns settings for a transaction of the application, which may see other rows than the store has in memory.
     *
     * @return the same without rows in memory
     */
    public CommitSettings withoutKnownRows() {
        return of(retained, quotas, clock);
    }
}
