package dev.ttlstore.contract.model;

import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;

/** Compares what a store tells with what the model says should be told, and teaches the model the versions of its entries. */
final class EventCheck {

    private final Model model;
    private final boolean exclusive;

    /** The last numbers: one for the whole store if a process owns the data, otherwise one for each scope and group. */
    private final Map<String, Long> lastSequences = new HashMap<>();

    EventCheck(Model model, boolean exclusive) {
        this.model = model;
        this.exclusive = exclusive;
    }

    /** Checks what was told during one step. */
    void check(List<StoreEvent> told) {
        Iterator<StoreEvent> expected = model.takeEvents().iterator();
        for (StoreEvent event : told) {
            Long last = lastSequences.put(order(event.group()), event.sequence());
            require(last == null || event.sequence() > last, "the sequence has not risen with", event);
            require(event.timestamp().equals(Instant.ofEpochMilli(model.now())), "another time is right for", event);
            if (event instanceof EntryExpired expiry) {
                checkExpired(expiry);
            } else {
                require(expected.hasNext(), "nothing more was to be told, but there is", event);
                checkSame(event, expected.next());
            }
        }
        if (expected.hasNext()) {
            throw new AssertionError("not told: " + describe(expected.next()));
        }
        for (Name name : model.takeDue()) {
            throw new AssertionError("not told: the expiry of " + name);
        }
        model.reach(Instant.ofEpochMilli(model.now())); // what was put with a past expiry is gone at once
    }

    private String order(String group) {
        if (exclusive) {
            return "";
        }
        String namespace = Namespaces.of(group);
        return namespace == null ? group : Namespaces.prefix(namespace);
    }

    private void checkExpired(EntryExpired event) {
        @Nullable ModelEntry entry = model.toldExpired(new Name(event.group(), event.key()));
        require(entry != null, "nothing had expired, or it was told before:", event);
        require(Objects.requireNonNull(entry).version() == event.version(), "another version has expired than", event);
        require(entry.expiresAt() == event.expiresAt().toEpochMilli(), "another expiry is right for", event);
    }

    private void checkSame(StoreEvent event, StoreEvent expected) {
        require(
                plain(event, expected).equals(expected),
                "to be told was " + describe(expected) + ", but there is",
                event);
        if (event instanceof GroupDeleted deleted) {
            require(!model.isUntold(deleted.group()), "before it an expiry had to be told:", event);
        }
        if (event instanceof EntryPut put) {
            Name name = new Name(put.group(), put.key());
            require(!model.isUntold(name), "before it an expiry had to be told:", event);
            require(put.version() == put.sequence(), "the version is not the new number of", event);
            model.toldVersion(name, put.version());
        }
    }

    /** The event as a model can know it: without its sequence, and without a version that was new in this step. */
    private static StoreEvent plain(StoreEvent event, StoreEvent expected) {
        if (event instanceof EntryPut put) {
            return new EntryPut(
                    0, put.timestamp(), put.group(), put.key(), ModelEntry.UNKNOWN, put.created(), put.expiresAt());
        }
        if (event instanceof EntryDeleted deleted) {
            boolean unknown = expected instanceof EntryDeleted other && other.version() == ModelEntry.UNKNOWN;
            long version = unknown ? ModelEntry.UNKNOWN : deleted.version();
            return new EntryDeleted(0, deleted.timestamp(), deleted.group(), deleted.key(), version);
        }
        if (event instanceof GroupDeleted deleted) {
            return new GroupDeleted(0, deleted.timestamp(), deleted.group(), deleted.entries());
        }
        throw new IllegalArgumentException("The model does not know " + event.getClass());
    }

    private static void require(boolean right, String wrong, StoreEvent event) {
        if (!right) {
            throw new AssertionError(wrong + " " + describe(event));
        }
    }

    /** Events do not print their keys, which are no secrets here. */
    private static String describe(StoreEvent event) {
        String key = event instanceof EntryPut put
                ? put.key()
                : event instanceof EntryDeleted deleted
                        ? deleted.key()
                        : event instanceof EntryExpired expired ? expired.key() : "";
        return key.isEmpty() ? event.toString() : event + " of key '" + key + "'";
    }
}
