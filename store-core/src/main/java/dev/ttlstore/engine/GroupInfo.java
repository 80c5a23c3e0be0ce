package dev.ttlstore.engine;

/**
 * A group that has rows.
 *
 * @param group the full group name
 * @param oldest the earliest expiry of a retained row of the group, in milliseconds since the epoch; {@link Row#NEVER} unless the scan
 *     asked for retained rows
 * @since 0.1
 */
public record GroupInfo(String group, long oldest) {

    /**
     * Makes a group of rows that are not retained.
     *
     * @param group the full group name
     * @return the group
     */
    public static GroupInfo of(String group) {
        return new GroupInfo(group, Row.NEVER);
    }
}
