package dev.ttlstore.spring.messagestore;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.WriteBatch;
import dev.ttlstore.spring.transaction.AfterCommit;
import dev.ttlstore.spring.transaction.OutsideTransaction;

/**
 * Groups of messages. Each change is one batch that requires the head's version at the time of its computation. So nothing is lost if
 * instances change a group at once. Messages are read by their numbers and not by a range: in a transaction of the application, a
 * range would conflict with each change of any other group. Thread-safe.
 */
final class MessageGroups {

    private static final byte[] NOTHING = {};

    private final LiveKeyspace store;
    private final Group<GroupHead> heads;
    private final Group<StoredMessage> messages;
    private final Group<Long> numbers;
    private final Group<byte[]> leftovers;

    /** What is left of groups, outside of the application's transactions. */
    private final Group<byte[]> outside;

    MessageGroups(LiveKeyspace store, String group, Codec<Object> ids) {
        this.store = store;
        this.heads = store.group(group, new GroupHeadCodec(ids));
        this.messages = store.group(group, StoredMessage.CODEC);
        this.numbers = store.group(group, Codec.longs());
        this.leftovers = store.group(group, Codec.bytes());
        this.outside = OutsideTransaction.of(store).group(group, Codec.bytes());
    }

    /** A change of a group. Runs again if another one was faster. */
    private interface Change {

        /** Adds writes to a batch, and returns the head to put, or null to change nothing. */
        @Nullable
        GroupHead apply(@Nullable GroupHead head, WriteBatch batch);
    }

    /** Changes a group and the time of its last change, which is that of its creation if it is new. */
    private void change(Object groupId, Change change) {
        String key = MessageKeys.head(groupId);
        boolean done;
        do {
            Optional<Entry<GroupHead>> found = heads.entry(key);
            WriteBatch batch = require(key, found.orElse(null));
            GroupHead changed = change.apply(found.map(Entry::value).orElse(null), batch);
            done = changed == null
                    || batch.put(heads, key, found.isEmpty() ? changed : changed.at(now()), Expiry.never())
                            .write();
        } while (!done);
    }

    private WriteBatch require(String key, @Nullable Entry<GroupHead> found) {
        WriteBatch batch = store.batch();
        return found == null ? batch.requireAbsent(heads, key) : batch.requireVersion(heads, key, found.version());
    }

    private long now() {
        return store.now().toEpochMilli();
    }

    Optional<GroupHead> head(Object groupId) {
        return heads.get(MessageKeys.head(groupId));
    }

    /** Returns the heads of all groups. */
    Stream<GroupHead> heads() {
        return heads.entries(MessageKeys.HEADS).map(Entry::value);
    }

    long count() {
        return heads.count(MessageKeys.HEADS);
    }

    /** Adds messages in their order, without those that the group has already. */
    void add(Object groupId, Collection<StoredMessage> added) {
        Map<UUID, StoredMessage> byId = new LinkedHashMap<>();
        added.forEach(message -> byId.putIfAbsent(message.id(), message));
        change(groupId, (head, batch) -> {
            long now = now();
            GroupHead changed = head == null ? GroupHead.create(groupId, now) : head;
            Map<String, Long> present = head == null ? Map.of() : numbers.getAll(keys(head, byId.keySet()));
            MessageRange range = changed.range();
            for (StoredMessage message : byId.values()) {
                String key = MessageKeys.number(changed, message.id());
                if (!present.containsKey(key)) {
                    batch.put(numbers, key, range.next(), Expiry.never())
                            .put(messages, MessageKeys.message(changed, range.next()), message, Expiry.never());
                    range = range.with(message);
                }
            }
            return changed.with(range);
        });
    }

    private static List<String> keys(GroupHead head, Collection<UUID> ids) {
        return ids.stream().map(id -> MessageKeys.number(head, id)).toList();
    }

    /** Removes messages. Returns how many the group had. */
    int remove(Object groupId, Collection<UUID> ids) {
        AtomicInteger removed = new AtomicInteger();
        change(groupId, (head, batch) -> {
            if (head == null) {
                return null;
            }
            Map<String, Long> present = numbers.getAll(keys(head, ids));
            present.forEach(
                    (key, number) -> batch.delete(numbers, key).delete(messages, MessageKeys.message(head, number)));
            removed.set(present.size());
            return head.with(head.range().without(present.size()));
        });
        return removed.get();
    }

    /** Removes the first message, unless the reader throws. */
    <R> Optional<R> poll(Object groupId, Function<StoredMessage, R> reader) {
        AtomicReference<@Nullable R> polled = new AtomicReference<>();
        change(groupId, (head, batch) -> {
            Optional<Entry<StoredMessage>> first = head == null ? Optional.empty() : first(head);
            polled.set(first.map(entry -> reader.apply(entry.value())).orElse(null));
            if (head == null || first.isEmpty()) {
                return null;
            }
            Entry<StoredMessage> entry = first.get();
            batch.delete(messages, entry.key())
                    .delete(numbers, MessageKeys.number(head, entry.value().id()));
            return head.with(head.range().withoutFirst(MessageKeys.number(entry.key())));
        });
        return Optional.ofNullable(polled.get());
    }

    /** Returns the messages of a group in their order, in pages. */
    Stream<StoredMessage> messages(GroupHead head) {
        return entries(head).map(Entry::value);
    }

    /** Returns the first message of a group. */
    Optional<Entry<StoredMessage>> first(GroupHead head) {
        if (head.range().size() == 0) {
            return Optional.empty();
        }
        String key = MessageKeys.message(head, head.range().first());
        return messages.entry(key).or(() -> entries(head).findFirst());
    }

    private Stream<Entry<StoredMessage>> entries(GroupHead head) {
        MessageRange range = head.range();
        if (range.isSparse()) {
            return messages.entries(MessageKeys.messagesFrom(head, range.first()));
        }
        int page = range.page();
        return LongStream.iterate(range.first(), number -> number < range.next(), number -> number + page)
                .mapToObj(number -> MessageKeys.messages(head, number, Math.min(number + page, range.next())))
                .flatMap(keys -> messages.entries(keys).values().stream());
    }

    Optional<StoredMessage> find(Object groupId, UUID id) {
        return head(groupId).flatMap(head -> numbers.get(MessageKeys.number(head, id))
                .flatMap(number -> messages.get(MessageKeys.message(head, number))));
    }

    void update(Object groupId, UnaryOperator<GroupHead> update) {
        change(groupId, (head, batch) -> head == null ? null : update.apply(head));
    }

    /** Removes a group in one commit. If it is too large for the memory, its messages are deleted afterwards. */
    void remove(Object groupId) {
        String key = MessageKeys.head(groupId);
        boolean done;
        do {
            Entry<GroupHead> found = heads.entry(key).orElse(null);
            done = found == null || remove(found);
        } while (!done);
    }

    private boolean remove(Entry<GroupHead> found) {
        GroupHead head = found.value();
        WriteBatch batch = require(found.key(), found).delete(heads, found.key());
        if (head.range().fitsInPage()) {
            entries(head).forEach(entry -> batch.delete(messages, entry.key())
                    .delete(numbers, MessageKeys.number(head, entry.value().id())));
            return batch.write();
        }
        boolean removed = batch.put(leftovers, MessageKeys.leftover(head.token()), NOTHING, Expiry.never())
                .write();
        if (removed) {
            AfterCommit.run(this::clean);
        }
        return removed;
    }

    /** Deletes what is left of groups, also of those that an instance has removed that ended meanwhile. */
    void clean() {
        for (String leftover : outside.keys(MessageKeys.LEFTOVERS).toList()) {
            MessageKeys.leftovers(leftover).forEach(outside::clear);
            boolean unused = outside.delete(leftover);
        }
    }
}
