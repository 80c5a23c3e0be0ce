package dev.ttlstore.internal.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.KeyRange;
import dev.ttlstore.engine.Names;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.watch.EventSizes;
import dev.ttlstore.internal.watch.WatchRequest;

/**
 * The events of a store or a scope, with the group names that it uses.
 *
 * @param prefix the prefix of its groups' full names; empty for the whole store
 */
record LocalEvents(String prefix) {

    private static final Logger log = LoggerFactory.getLogger(LocalEvents.class);
    private static final int ROWS_PER_PAGE = 256;

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
        return new Existing(access, group, options);
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

    /** The existing entries of a group, for a watch that starts with them. */
    private final class Existing implements WatchRequest.InitialSignals {

        private final RowAccess access;
        private final String localGroup;
        private final WatchOptions options;

        /** The rest of the entries; null if there are no more. */
        private @Nullable Scan rest;

        private boolean ended;

        /** Whether an unreadable value was logged: a whole group may be unreadable. */
        private boolean warned;

        /**
         * Prepares the walk.
         *
         * @param access reaches the rows
         * @param group the full name of the group
         * @param options what the reader has asked for
         */
        private Existing(RowAccess access, String group, WatchOptions options) {
            this.access = access;
            this.localGroup = group.substring(prefix.length());
            this.options = options;
            KeyRange range = range(options);
            this.rest = Scan.keys(
                    group, range.from() == null ? "" : range.from(), range.to(), false, Reads.NOW, ROWS_PER_PAGE);
        }

        private static KeyRange range(WatchOptions options) {
            if (options.key() != null) {
                return KeyRange.from(options.key()).limit(1);
            }
            return options.keyPrefix() == null ? KeyRange.all() : KeyRange.prefix(options.keyPrefix());
        }

        @Override
        public List<WatchSignal> next(long before) {
            try {
                List<WatchSignal> signals = new ArrayList<>();
                while (signals.isEmpty() && rest != null) {
                    RowPage page = access.reads().page(rest);
                    page.rows().stream()
                            .filter(row -> row.version() < before)
                            .filter(row -> options.key() == null
                                    || options.key().equals(row.key().key()))
                            .forEach(row -> signals.add(new WatchSignal.Existing(put(row))));
                    rest = page.more() && options.key() == null ? rest.after(page.last()) : null;
                }
                if (signals.isEmpty() && !ended) {
                    ended = true;
                    signals.add(new WatchSignal.UpToDate(before));
                }
                return signals;
            } catch (StoreClosedException e) {
                return List.of(); // as every watch, it ends with the store
            }
        }

        private EntryPut put(Row row) {
            return new EntryPut(
                    row.version(),
                    Instant.ofEpochMilli(row.updatedAt()),
                    localGroup,
                    row.key().key(),
                    row.version(),
                    true,
                    row.expiresAt() == Row.NEVER ? null : Instant.ofEpochMilli(row.expiresAt()),
                    options.values() ? value(row) : null);
        }

        private byte @Nullable [] value(Row row) {
            try {
                return access.context()
                        .values()
                        .open(row.key().group(), row.key().key(), row.value());
            } catch (RuntimeException e) { // as in an event, from a cipher that does not reach its keys, for instance
                if (!warned) {
                    warned = true;
                    SafeLog.ofApplication(
                                    log,
                                    "The value of version " + row.version() + " in group '"
                                            + row.key().group()
                                            + "' cannot be read, so a watch gets the entry without it; the same is not"
                                            + " logged again for this watch")
                            .warn(e);
                }
                return null;
            }
        }
    }
}
