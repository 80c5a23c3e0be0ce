package dev.ttlstore.internal.store;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Names;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.watch.WatchRequest;

/** Opens the watches of a store or a scope, with the group names that it uses. */
final class WatchOpening {

    private final RowAccess access;
    private final String prefix;

    /**
     * Creates the opening.
     *
     * @param access reaches the rows
     * @param prefix the prefix of the groups' full names; empty for the store itself
     */
    WatchOpening(RowAccess access, String prefix) {
        this.access = access;
        this.prefix = prefix;
    }

    /** Checks the options and opens a watch. */
    Watch open(WatchOptions options) {
        access.requireUsable();
        Objects.requireNonNull(options, "'options' must not be null");
        if (options.key() != null) {
            Names.require(options.key(), "key");
        }
        if (options.keyPrefix() != null) {
            Names.requirePrefix(options.keyPrefix(), "keyPrefix");
        }
        String group = options.group() == null ? null : Names.require(prefix + options.group(), "group");
        LocalEvents events = new LocalEvents(prefix);
        return access.watch(new WatchRequest(
                group == null ? prefix : group,
                options,
                events.selected(options),
                events.localizer(),
                start(options, group)));
    }

    private WatchRequest.Start start(WatchOptions options, @Nullable String group) {
        if (!options.existing()) {
            return WatchRequest.Start.NONE;
        }
        if (group == null) {
            throw new IllegalArgumentException(
                    "A watch that starts with the existing entries must be of one group; call ofGroup(…), too");
        }
        return new ExistingEntries(access, group, prefix.length(), options);
    }
}
