package dev.ttlstore.spring.messagestore;

import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

import org.springframework.integration.util.UUIDConverter;
import org.springframework.util.Assert;

import dev.ttlstore.KeyRange;

/** The keys of messages and groups. None is the beginning of another. */
final class MessageKeys {

    /** The heads of all groups. */
    static final KeyRange HEADS = KeyRange.prefix("group:");

    /** The tokens of groups that were removed, but for some of their messages. */
    static final KeyRange LEFTOVERS = KeyRange.prefix("removed:");

    /** The messages of no group. */
    static final KeyRange SINGLES = KeyRange.prefix("single:");

    private MessageKeys() {}

    /** Returns the key of a group's head. As for Spring Integration, the text 1 and the number 1 are the same group. */
    static String head(Object groupId) {
        Assert.notNull(groupId, "'groupId' must not be null");
        return "group:" + UUIDConverter.getUUID(groupId);
    }

    /** Returns the key of a message in its group. Keys are ordered as the numbers are. */
    static String message(GroupHead head, long number) {
        return messages(head.token()) + HexFormat.of().toHexDigits(number);
    }

    private static String messages(String token) {
        return "message:" + token + ":";
    }

    /** Returns the keys of messages between two numbers. */
    static List<String> messages(GroupHead head, long from, long to) {
        return LongStream.range(from, to)
                .mapToObj(number -> message(head, number))
                .toList();
    }

    static KeyRange messagesFrom(GroupHead head, long number) {
        return KeyRange.between(
                message(head, number), message(head, head.range().next()));
    }

    static long number(String messageKey) {
        return HexFormat.fromHexDigitsToLong(messageKey, messageKey.length() - 2 * Long.BYTES, messageKey.length());
    }

    /** Returns the key of what says which number a message has. */
    static String number(GroupHead head, UUID message) {
        return numbers(head.token()) + message;
    }

    private static String numbers(String token) {
        return "number:" + token + ":";
    }

    static String leftover(String token) {
        return "removed:" + token;
    }

    /** Returns what is left of a group. */
    static List<KeyRange> leftovers(String leftover) {
        String token = leftover.substring(leftover.indexOf(':') + 1);
        return List.of(KeyRange.prefix(messages(token)), KeyRange.prefix(numbers(token)));
    }

    static String single(UUID message) {
        Assert.notNull(message, "'id' must not be null");
        return "single:" + message;
    }
}
