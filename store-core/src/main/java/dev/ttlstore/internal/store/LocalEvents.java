package dev.ttlstore.internal.store;

import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;

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

    Predicate<StoreEvent> all() {
        return event -> event.group().startsWith(prefix);
    }

    Predicate<StoreEvent> ofGroup(String group) {
        String fullName = prefix + group;
        return event -> event.group().equals(fullName);
    }

    /** Selects the events of one entry, including the deletion of its group. */
    Predicate<StoreEvent> ofKey(String group, String key) {
        return ofGroup(group).and(event -> {
            String changed = key(event);
            return changed == null || changed.equals(key);
        });
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
            return new EntryPut(e.sequence(), e.timestamp(), group, e.key(), e.version(), e.created(), e.expiresAt());
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
