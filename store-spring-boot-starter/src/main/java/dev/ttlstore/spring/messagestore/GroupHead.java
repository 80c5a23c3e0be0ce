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
 * @param first no message has a lower number
 * @param next the number of the next message
 * @param size how many messages there are
 * @param largest how many bytes the largest message had
 * @param complete whether the group accepts no more messages
 * @param lastReleased the sequence number of the last message that was released
 * @param condition what the application has noted; null if nothing
 */
record GroupHead(
        Object id,
        String token,
        long created,
        long modified,
        long first,
        long next,
        long size,
        int largest,
        boolean complete,
        int lastReleased,
        @Nullable String condition) {

    private static final int MOST_MESSAGES = 100;
    private static final int MOST_BYTES = 8 * 1024 * 1024;

    static GroupHead create(Object id, long now) {
        return new GroupHead(id, UUID.randomUUID().toString(), now, now, 0, 0, 0, 0, false, 0, null);
    }

    /** Returns how many messages take a bounded part of the memory together. */
    int page() {
        return Math.max(1, Math.min(MOST_MESSAGES, MOST_BYTES / Math.max(1, largest)));
    }

    /** Tests whether a page of numbers has all messages. */
    boolean fitsInPage() {
        return next - first <= page();
    }

    /** Tests whether most numbers are those of messages that were removed. */
    boolean isSparse() {
        return !fitsInPage() && next - first > 4 * size;
    }

    GroupHead with(StoredMessage added) {
        return new GroupHead(
                id,
                token,
                created,
                modified,
                first,
                next + 1,
                size + 1,
                Math.max(largest, added.content().length),
                complete,
                lastReleased,
                condition);
    }

    GroupHead without(long messages) {
        return from(size == messages ? next : first, size - messages);
    }

    GroupHead withoutFirst(long number) {
        return from(number + 1, size - 1);
    }

    private GroupHead from(long number, long left) {
        return new GroupHead(
                id, token, created, modified, number, next, left, largest, complete, lastReleased, condition);
    }

    GroupHead at(long now) {
        return new GroupHead(id, token, created, now, first, next, size, largest, complete, lastReleased, condition);
    }

    GroupHead completed() {
        return new GroupHead(id, token, created, modified, first, next, size, largest, true, lastReleased, condition);
    }

    GroupHead released(int sequenceNumber) {
        return new GroupHead(
                id, token, created, modified, first, next, size, largest, complete, sequenceNumber, condition);
    }

    GroupHead noting(@Nullable String note) {
        return new GroupHead(id, token, created, modified, first, next, size, largest, complete, lastReleased, note);
    }

    /** Returns a text without the id and the condition, which may be secrets. */
    @Override
    public String toString() {
        return "GroupHead[size=" + size + "]";
    }
}
