package dev.ttlstore.internal.commit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.LoggedChange;
import dev.ttlstore.engine.LoggedChange.Kind;
import dev.ttlstore.engine.Row;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;

/** Converts events to the changes that engines pass between processes, and back. */
final class ChangeLog {

    private ChangeLog() {}

    /** Returns the changes of a commit: one for each event, and those expiries that were moved to an earlier time. */
    static List<LoggedChange> changes(Draft draft) {
        List<LoggedChange> changes = new ArrayList<>();
        for (DraftRow draftRow : draft.rows().all()) {
            Row row = draftRow.current();
            // The row that stands in for the true one does not expire, and the engine shortens no expiry without
            // knowing it.
            if (row != null && !draft.isProvisional() && draftRow.isShortened()) {
                changes.add(new LoggedChange(
                        Kind.SHORTENED,
                        row.version(),
                        draft.now(),
                        row.key().group(),
                        row.key().key(),
                        row.version(),
                        row.expiresAt(),
                        0));
            }
        }
        draft.log().events().forEach(event -> changes.add(change(event)));
        return changes;
    }

    private static LoggedChange change(StoreEvent event) {
        if (event instanceof EntryPut put) {
            Kind kind = put.created() ? Kind.CREATED : Kind.REPLACED;
            return change(kind, event, put.key(), put.version(), put.expiresAt(), 0);
        }
        if (event instanceof EntryDeleted deleted) {
            return change(Kind.DELETED, event, deleted.key(), deleted.version(), null, 0);
        }
        if (event instanceof EntryExpired expired) {
            return change(Kind.EXPIRED, event, expired.key(), expired.version(), expired.expiresAt(), 0);
        }
        return change(Kind.GROUP_DELETED, event, "", 0, null, ((GroupDeleted) event).entries());
    }

    private static LoggedChange change(
            Kind kind, StoreEvent event, String key, long version, @Nullable Instant expiry, long entries) {
        return new LoggedChange(
                kind,
                event.sequence(),
                event.timestamp().toEpochMilli(),
                event.group(),
                key,
                version,
                expiry == null ? Row.NEVER : expiry.toEpochMilli(),
                entries);
    }

    static List<StoreEvent> events(List<LoggedChange> changes) {
        return changes.stream()
                .filter(change -> change.kind() != Kind.SHORTENED)
                .map(ChangeLog::event)
                .toList();
    }

    private static StoreEvent event(LoggedChange change) {
        long sequence = change.sequence();
        Instant time = Instant.ofEpochMilli(change.timestamp());
        String group = change.group();
        String key = change.key();
        long version = change.version();
        return switch (change.kind()) {
            case CREATED, REPLACED ->
                new EntryPut(sequence, time, group, key, version, change.kind() == Kind.CREATED, expiry(change));
            case DELETED -> new EntryDeleted(sequence, time, group, key, version);
            case EXPIRED ->
                new EntryExpired(sequence, time, group, key, version, Instant.ofEpochMilli(change.expiresAt()));
            case GROUP_DELETED -> new GroupDeleted(sequence, time, group, change.entries());
            case SHORTENED -> throw new IllegalArgumentException("A shortened ttl is no event");
        };
    }

    private static @Nullable Instant expiry(LoggedChange change) {
        return change.expiresAt() == Row.NEVER ? null : Instant.ofEpochMilli(change.expiresAt());
    }
}
