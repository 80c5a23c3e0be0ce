package dev.ttlstore.spring.messagestore;

/**
 * Which messages a group has. Each message takes the next number. Those that were removed leave gaps.
 *
 * @param first no message has a lower number
 * @param next the number of the next message
 * @param size how many messages there are
 * @param largest how many bytes the largest message had
 */
record MessageRange(long first, long next, long size, int largest) {

    static final MessageRange EMPTY = new MessageRange(0, 0, 0, 0);

    private static final int MOST_MESSAGES = 100;
    private static final int MOST_BYTES = 8 * 1024 * 1024;

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

    MessageRange with(StoredMessage added) {
        return new MessageRange(first, next + 1, size + 1, Math.max(largest, added.content().length));
    }

    MessageRange without(long messages) {
        return from(size == messages ? next : first, size - messages);
    }

    MessageRange withoutFirst(long number) {
        return from(number + 1, size - 1);
    }

    private MessageRange from(long number, long left) {
        return new MessageRange(number, next, left, largest);
    }
}
