package dev.ttlstore.engine;

/**
 * The usage of a namespace.
 *
 * @param keys how many entries it has
 * @param groups how many groups they are in
 * @param bytes the size of their keys and values
 */
public record UsageTotals(long keys, long groups, long bytes) {

    /**
     * Returns those figures that have grown, and zero for the others. A quota checks only these, so a namespace that
     * exceeds its quota still accepts writes that do not increase the exceeded figure.
     *
     * @param moreKeys how many more entries there are than before
     * @param moreGroups how many more groups
     * @param moreBytes how many more bytes
     * @return the usage, with zero for each figure that has not grown
     */
    public UsageTotals grownBy(long moreKeys, long moreGroups, long moreBytes) {
        return new UsageTotals(moreKeys > 0 ? keys : 0, moreGroups > 0 ? groups : 0, moreBytes > 0 ? bytes : 0);
    }
}
