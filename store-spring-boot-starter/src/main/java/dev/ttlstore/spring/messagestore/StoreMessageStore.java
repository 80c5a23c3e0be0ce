package dev.ttlstore.spring.messagestore;

import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.integration.store.AbstractMessageGroupStore;
import org.springframework.integration.store.ChannelMessageStore;
import org.springframework.integration.store.MessageGroup;
import org.springframework.integration.store.MessageGroupMetadata;
import org.springframework.integration.store.MessageMetadata;
import org.springframework.integration.store.MessageStore;
import org.springframework.integration.store.SimpleMessageGroup;
import org.springframework.messaging.Message;
import org.springframework.util.Assert;

import dev.ttlstore.Codec;
import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.LiveKeyspace;

/**
 * Keeps Spring Integration's messages in a store, for aggregators, resequencers, delayers, claim checks and queue channels. A message is
 * an entry, so the cost of a change does not grow with its group. Each change is atomic, also between instances that share the store: of
 * messages that they add to a group at once, none is lost. Thread-safe.
 *
 * <pre>{@code
 * @Bean
 * IntegrationFlow orders(MessageGroupStore messages) {
 *     return IntegrationFlow.from("lines")
 *             .aggregate(aggregator -> aggregator.messageStore(messages))
 *             .channel("orders")
 *             .get();
 * }
 * }</pre>
 *
 * <p>Messages leave a group in the order in which they were added. A group does not accept a message again that it has. Groups have the
 * same id if Spring Integration converts their ids to the same UUID, as the text 1 and the number 1. The messages of groups and those of
 * {@link #addMessage} are apart.
 *
 * <p>On PostgreSQL, the message store takes part in the application's transaction. Times are those of the store.
 *
 * <p>All methods throw {@link IllegalArgumentException} for a null argument, and a {@link dev.ttlstore.exception.StoreException} if the
 * store fails. Those that take messages throw {@link dev.ttlstore.exception.CodecException} if one cannot be stored, and those that
 * return messages if one cannot be read.
 *
 * @since 0.1
 * @see StoreMessageStoreProperties
 */
public final class StoreMessageStore extends AbstractMessageGroupStore implements MessageStore, ChannelMessageStore {

    /** The group of the store that holds the messages. */
    public static final String GROUP = "message-store";

    /** A timeout that can be added to times. */
    private static final long LONGEST = Long.MAX_VALUE / 4;

    private final LiveKeyspace store;
    private final MessageCodec codec;
    private final MessageGroups groups;
    private final Group<StoredMessage> singles;

    /**
     * Creates the store of messages.
     *
     * @param store the store or scope that holds the messages
     * @param codec encodes messages, and ids of groups that are not strings, such as a {@link dev.ttlstore.serialization.JavaCodec}
     */
    public StoreMessageStore(LiveKeyspace store, Codec<Object> codec) {
        this.store = Objects.requireNonNull(store, "'store' must not be null");
        this.codec = new MessageCodec(Objects.requireNonNull(codec, "'codec' must not be null"));
        this.groups = new MessageGroups(store, GROUP, codec);
        this.singles = store.group(GROUP, StoredMessage.CODEC);
    }

    @Override
    public <T> Message<T> addMessage(Message<T> message) {
        StoredMessage stored = codec.encode(message);
        boolean unused = singles.putIfAbsent(MessageKeys.single(stored.id()), stored, Expiry.never())
                .isPresent();
        return message;
    }

    @Override
    public @Nullable Message<?> getMessage(UUID id) {
        return singles.get(MessageKeys.single(id)).map(codec::decode).orElse(null);
    }

    @Override
    public @Nullable MessageMetadata getMessageMetadata(UUID id) {
        return singles.entry(MessageKeys.single(id))
                .map(entry -> metadata(id, entry))
                .orElse(null);
    }

    private static MessageMetadata metadata(UUID id, Entry<StoredMessage> entry) {
        MessageMetadata metadata = new MessageMetadata(id);
        metadata.setTimestamp(entry.createdAt().toEpochMilli());
        return metadata;
    }

    @Override
    public @Nullable Message<?> removeMessage(UUID id) {
        return singles.take(MessageKeys.single(id)).map(codec::decode).orElse(null);
    }

    /** {@return the number of messages that {@link #addMessage} has stored} */
    @Override
    public long getMessageCount() {
        return singles.count(MessageKeys.SINGLES);
    }

    @Override
    protected void doAddMessagesToGroup(Object groupId, Message<?>... messages) {
        Assert.notNull(messages, "'messages' must not be null");
        groups.add(groupId, Arrays.stream(messages).map(codec::encode).toList());
    }

    /** Returns the group, whose messages are read when they are needed. */
    @Override
    public MessageGroup getMessageGroup(Object groupId) {
        return groups.head(groupId).map(head -> group(groupId, head)).orElseGet(() -> new SimpleMessageGroup(groupId));
    }

    private MessageGroup group(Object groupId, GroupHead head) {
        MessageGroup group = getMessageGroupFactory().create(this, groupId, head.created(), head.complete());
        group.setLastModified(head.modified());
        group.setLastReleasedMessageSequenceNumber(head.lastReleased());
        group.setCondition(head.condition());
        return group;
    }

    /** Returns the state of the group, without the ids of its messages. */
    @Override
    public @Nullable MessageGroupMetadata getGroupMetadata(Object groupId) {
        return groups.head(groupId).map(StoreMessageStore::metadata).orElse(null);
    }

    private static MessageGroupMetadata metadata(GroupHead head) {
        MessageGroupMetadata metadata = new MessageGroupMetadata();
        metadata.setTimestamp(head.created());
        metadata.setLastModified(head.modified());
        metadata.setLastReleasedMessageSequenceNumber(head.lastReleased());
        if (head.complete()) {
            metadata.complete();
        }
        if (head.condition() != null) {
            metadata.setCondition(head.condition());
        }
        return metadata;
    }

    @Override
    public int messageGroupSize(Object groupId) {
        return groups.head(groupId).map(head -> toInt(head.range().size())).orElse(0);
    }

    private static int toInt(long count) {
        return (int) Math.min(count, Integer.MAX_VALUE);
    }

    @Override
    public int getMessageGroupCount() {
        return toInt(groups.count());
    }

    @Override
    public int getMessageCountForAllMessageGroups() {
        return toInt(groups.heads().mapToLong(head -> head.range().size()).sum());
    }

    @Override
    public Collection<Message<?>> getMessagesForGroup(Object groupId) {
        try (Stream<Message<?>> messages = streamMessagesForGroup(groupId)) {
            return messages.toList();
        }
    }

    /** Returns the messages of the group, which are read in pages. You may leave the stream half-read. */
    @Override
    public Stream<Message<?>> streamMessagesForGroup(Object groupId) {
        return groups.head(groupId)
                .map(groups::messages)
                .orElseGet(Stream::empty)
                .map(codec::decode);
    }

    @Override
    public @Nullable Message<?> getOneMessageFromGroup(Object groupId) {
        return groups.head(groupId)
                .flatMap(groups::first)
                .map(entry -> codec.decode(entry.value()))
                .orElse(null);
    }

    @Override
    public @Nullable Message<?> getMessageFromGroup(Object groupId, UUID messageId) {
        Assert.notNull(messageId, "'messageId' must not be null");
        return groups.find(groupId, messageId).map(codec::decode).orElse(null);
    }

    @Override
    protected @Nullable Message<?> doPollMessageFromGroup(Object groupId) {
        return groups.poll(groupId, codec::decode).orElse(null);
    }

    @Override
    protected void doRemoveMessagesFromGroup(Object groupId, Collection<Message<?>> messages) {
        Assert.notNull(messages, "'messages' must not be null");
        int unused = groups.remove(
                groupId, messages.stream().map(MessageCodec::id).distinct().toList());
    }

    @Override
    protected boolean doRemoveMessageFromGroupById(Object groupId, UUID messageId) {
        Assert.notNull(messageId, "'messageId' must not be null");
        return groups.remove(groupId, List.of(messageId)) > 0;
    }

    @Override
    protected void doRemoveMessageGroup(Object groupId) {
        groups.remove(groupId);
    }

    @Override
    protected void doCompleteGroup(Object groupId) {
        groups.update(groupId, GroupHead::completed);
    }

    @Override
    protected void doSetGroupCondition(Object groupId, String condition) {
        groups.update(groupId, head -> head.noting(condition));
    }

    @Override
    protected void doSetLastReleasedSequenceNumberForGroup(Object groupId, int sequenceNumber) {
        groups.update(groupId, head -> head.released(sequenceNumber));
    }

    /** Returns the groups, which are read in pages. Their ids are those with which they were created. */
    @Override
    public Iterator<MessageGroup> iterator() {
        return groups.heads().map(head -> group(head.id(), head)).iterator();
    }

    /** Expires groups by the time of the store. Also deletes what is left of groups that were being removed when an instance ended. */
    @Override
    public int expireMessageGroups(long timeout) {
        groups.clean();
        long ahead = System.currentTimeMillis() - store.now().toEpochMilli();
        return super.expireMessageGroups(Math.max(-LONGEST, Math.min(LONGEST, timeout)) + ahead);
    }
}
