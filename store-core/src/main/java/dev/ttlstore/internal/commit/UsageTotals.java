package dev.ttlstore.internal.commit;

/**
 * What a namespace takes.
 *
 * @param keys how many entries
 * @param groups in how many groups
 * @param bytes the size of their keys and values
 */
public record UsageTotals(long keys, long groups, long bytes) {

    /**
     * What of it a quota has to admit: who takes too much already may go on with what takes no more of it.
     *
     * @param moreKeys how many more entries there are than before
     * @param moreGroups how many more groups
     * @param moreBytes how many more bytes
     * @return the usage, without what has not become more
     */
    UsageTotals grownBy(long moreKeys, long moreGroups, long moreBytes) {
        return new UsageTotals(moreKeys > 0 ? keys : 0, moreGroups > 0 ? groups : 0, moreBytes > 0 ? bytes : 0);
    }
}
