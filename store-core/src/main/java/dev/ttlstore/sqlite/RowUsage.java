package dev.ttlstore.sqlite;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.GroupUsage;

/** Says how two counts of a group differ. */
final class RowUsage {

    private RowUsage() {}

    static String differs(@Nullable GroupUsage believed, @Nullable GroupUsage found) {
        return "The store believes that the group has " + text(believed) + ", but it has " + text(found);
    }

    private static String text(@Nullable GroupUsage usage) {
        return usage == null ? "no entries" : usage.rows() + " entries with " + usage.bytes() + " bytes";
    }
}
