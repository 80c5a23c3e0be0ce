package dev.ttlstore.internal.commit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.Row;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;

/** Makes events of changes. */
public final class ChangeEvents {

    private ChangeEvents() {}

    /**
     * Returns the events of changes, in their order.
     *
     * @param changes the changes; those that are no events are left out
     * @param valued selects the groups whose events have the stored value, if the change has it
     * @return the events
     */
    public static List<StoreEvent> of(List<Change> changes, Predicate<String> valued) {
        List<StoreEvent> events = new ArrayList<>(changes.size());
        for (Change change : changes) {
            StoreEvent event = of(change, valued);
            if (event != null) {
                events.add(event);
            }
        }
        return events;
    }

    private static @Nullable StoreEvent of(Change change, Predicate<String> valued) {
        long sequence = change.sequence();
        Instant time = Instant.ofEpochMilli(change.timestamp());
        String group = change.group();
        String key = change.key();
        long version = change.version();
        return switch (change.kind()) {
            case CREATED, REPLACED ->
                new EntryPut(
                        sequence,
                        time,
                        group,
                        key,
                        version,
                        change.kind() == Change.Kind.CREATED,
                        change.expiresAt() == Row.NEVER ? null : Instant.ofEpochMilli(change.expiresAt()),
                        value(change, valued));
            case DELETED -> new EntryDeleted(sequence, time, group, key, version);
            case EXPIRED ->
                new EntryExpired(sequence, time, group, key, version, Instant.ofEpochMilli(change.expiresAt()));
            case GROUP_DELETED -> new GroupDeleted(sequence, time, group, change.entries());
            case SHORTENED, UNLISTED -> null;
        };
    }

    private static byte @Nullable [] value(Change change, Predicate<String> valued) {
        Row row = change.row();
        return row != null && valued.test(change.group()) ? row.value() : null;
    }
}
