package dev.ttlstore.internal.store;

import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Names;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.watch.EventSizes;
import dev.ttlstore.internal.watch.WatchRequest;

/**
 * The events of a store or a scope, with the group names that it uses.
 *
 * @param prefix the prefix of its groups' full names; empty for the whole store
 */
record LocalEvents(String prefix) {

    /** Selects the groups, by their full names. */
    Predicate<String> groups() {
        return group -> group.startsWith(prefix);
    }

    /** Checks the options and opens a watch. */
    Watch watch(RowAccess access, WatchOptions options) {
        access.requireUsable();
        Objects.requireNonNull(options, "'options' must not be null");
        if (options.key() != null) {
            Names.require(options.key(), "key");
        }
        if (options.keyPrefix() != null) {
            Names.requirePrefix(options.keyPrefix(), "keyPrefix");
        }
        String group = options.group() == null ? null : Names.require(prefix + options.group(), "group");
        return access.watch(new WatchRequest(
                group == null ? prefix : group,
                options,
                selected(options, group),
                localizer(),
                start(access, options, group)));
    }

    private WatchRequest.InitialSignals start(RowAccess access, WatchOptions options, @Nullable String group) {
        if (!options.existing()) {
            return WatchRequest.InitialSignals.NONE;
        }
        if (group == null) {
            throw new IllegalArgumentException(
                    "A watch that starts with the existing entries must be of one group; call ofGroup(…), too");
        }
        return new ExistingEntries(access, group, prefix.length(), options);
    }

    /** Selects the events that a watch asks for. The deletion of a group concerns each of its entries. */
    private Predicate<StoreEvent> selected(WatchOptions options, @Nullable String group) {
        Predicate<StoreEvent> groups = group == null
                ? event -> event.group().startsWith(prefix)
                : event -> event.group().equals(group);
        String wanted = options.key();
        String start = options.keyPrefix();
        if (wanted == null && start == null) {
            return groups;
        }
        return groups.and(event -> {
            String key = EventSizes.key(event);
            return key == null || (wanted == null ? key.startsWith(Objects.requireNonNull(start)) : key.equals(wanted));
        });
    }

    private UnaryOperator<StoreEvent> localizer() {
        return prefix.isEmpty() ? UnaryOperator.identity() : this::localize;
    }

    /** Returns a listener that passes the events on. Something stays reachable while it is registered. */
    StoreListener listener(StoreListener listener, Object held) {
        return new LocalListener(listener, localizer(), held);
    }

    private record LocalListener(StoreListener listener, UnaryOperator<StoreEvent> mapping, Object held)
            implements StoreListener {

        @Override
        public void onEvent(StoreEvent event) {
            listener.onEvent(mapping.apply(event));
        }

        @Override
        public boolean wantsValues() {
            return listener.wantsValues();
        }

        /** Returns the class of the caller's listener. The text of the listener itself may hold secrets. */
        @Override
        public String toString() {
            boolean own = listener.getClass().getNestHost() == StoreListener.class; // its text is the class inside
            return own ? listener.toString() : listener.getClass().getName();
        }
    }

    private StoreEvent localize(StoreEvent event) {
        String group = event.group().substring(prefix.length());
        if (event instanceof EntryPut e) {
            return new EntryPut(
                    e.sequence(), e.timestamp(), group, e.key(), e.version(), e.created(), e.expiresAt(), e.value());
        }
        if (event instanceof EntryDeleted e) {
            return new EntryDeleted(e.sequence(), e.timestamp(), group, e.key(), e.version());
        }
        if (event instanceof EntryExpired e) {
            return new EntryExpired(e.sequence(), e.timestamp(), group, e.key(), e.version(), e.expiresAt());
        }
        GroupDeleted e = (GroupDeleted) event;
        return new GroupDeleted(e.sequence(), e.timestamp(), group, e.entries());
    }
}
