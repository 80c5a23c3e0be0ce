package dev.ttlstore.internal.access;

import java.util.Map;

import dev.ttlstore.GroupSettings;
import dev.ttlstore.internal.base.Completions;
import dev.ttlstore.internal.base.Meter;
import dev.ttlstore.internal.value.ValueSettings;

/**
 * What all groups of a store share.
 *
 * @param values how values are converted
 * @param groups settings of single groups, by full name
 * @param meter counts reads and writes
 * @param bulk makes asynchronous writes to many entries
 * @param completions completes futures
 */
public record StoreContext(
        ValueSettings values,
        Map<String, GroupSettings> groups,
        Meter meter,
        BulkThread bulk,
        Completions completions) {

    /**
     * Returns the settings of a group.
     *
     * @param fullName its full name
     * @return its settings, or the defaults
     */
    public GroupSettings group(String fullName) {
        return groups.getOrDefault(fullName, GroupSettings.defaults());
    }
}
