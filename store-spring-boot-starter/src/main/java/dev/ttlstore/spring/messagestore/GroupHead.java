package dev.ttlstore.spring.messagestore;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The state of a group of messages. Each change of the group changes its head too, so of two changes at once only one succeeds.
 *
 * @param id what the application calls the group
 * @param token begins the keys of the group's messages. A group that is created again has another one, so that nobody takes what is left
 *     of the earlier group for its own
 * @param created when the group was created, in milliseconds since the epoch
 * @param modified when the group was last changed
 * @param range which messages it has
 * @param complete whether the group accepts no more messages
 * @param lastReleased the sequence number of the last message that was released
 * @param condition what the application has noted; null if nothing
 */
record GroupHead(
        Object id,
        String token,
        long created,
        long modified,
        MessageRange range,
        boolean complete,
        int lastReleased,
        @Nullable String condition) {

    static GroupHead create(Object id, long now) {
        return new GroupHead(id, UUID.randomUUID().toString(), now, now, MessageRange.EMPTY, false, 0, null);
    }

    GroupHead with(MessageRange messages) {
        return new GroupHead(id, token, created, modified, messages, complete, lastReleased, condition);
    }

    GroupHead at(long now) {
        return new GroupHead(id, token, created, now, range, complete, lastReleased, condition);
    }

    GroupHead completed() {
        return new GroupHead(id, token, created, modified, range, true, lastReleased, condition);
    }

    GroupHead released(int sequenceNumber) {
        return new GroupHead(id, token, created, modified, range, complete, sequenceNumber, condition);
    }

    GroupHead noting(@Nullable String note) {
        return new GroupHead(id, token, created, modified, range, complete, lastReleased, note);
    }

    /** Returns a text without the id and the condition, which may be secrets. */
    @Override
    public String toString() {
        return "GroupHead[size=" + range.size() + "]";
    }
}
