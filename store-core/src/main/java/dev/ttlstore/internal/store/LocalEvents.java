package dev.ttlstore.internal.store;

import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.WatchOptions;

import static java.util.Objects.requireNonNull;

/** The events of a store or a scope, with the group names that it uses. */
final class LocalEvents {

    private final String prefix;

    /**
     * Creates the view.
     *
     * @param prefix the prefix of its groups' full names; empty for the whole store
     */
    LocalEvents(String prefix) {
        this.prefix = prefix;
    }

    /** Selects the groups, by their full names. */
    Predicate<String> groups() {
        return group -> group.startsWith(prefix);
    }

    /** Selects all events. */
    Predicate<StoreEvent> all() {
        return event -> event.group().startsWith(prefix);
    }

    /** Selects the events that a watch asks for. The deletion of a group concerns each of its entries. */
    Predicate<StoreEvent> selected(WatchOptions options) {
        Predicate<StoreEvent> groups = options.group() == null ? all() : ofGroup(options.group());
        String wanted = options.key();
        String start = options.keyPrefix();
        if (wanted == null && start == null) {
            return groups;
        }
        return groups.and(event -> {
            String key = key(event);
            return key == null || (wanted == null ? key.startsWith(requireNonNull(start)) : key.equals(wanted));
        });
    }

    private Predicate<StoreEvent> ofGroup(String group) {
        String fullName = prefix + group;
        return event -> event.group().equals(fullName);
    }

    UnaryOperator<StoreEvent> localizer() {
        return prefix.isEmpty() ? UnaryOperator.identity() : this::localize;
    }

    private static @Nullable String key(StoreEvent event) {
        if (event instanceof EntryPut put) {
            return put.key();
        }
        if (event instanceof EntryDeleted deleted) {
            return deleted.key();
        }
        return event instanceof EntryExpired expired ? expired.key() : null;
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
