package dev.ttlstore.spring.messagestore;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.handler.DelayHandler.DelayedMessageWrapper;
import org.springframework.integration.history.MessageHistory;
import org.springframework.integration.message.AdviceMessage;
import org.springframework.integration.store.MessageGroup;
import org.springframework.integration.store.MessageGroupMetadata;
import org.springframework.integration.store.SimpleMessageGroup;
import org.springframework.integration.support.MutableMessage;
import org.springframework.integration.util.UUIDConverter;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHandlingException;
import org.springframework.messaging.support.ErrorMessage;
import org.springframework.messaging.support.GenericMessage;

import dev.ttlstore.Store;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.values.SpringValues;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** What Spring Integration's own tests ask of its persistent message stores, and more; on each engine. */
@SuppressWarnings("JavaUtilDate") // a payload
abstract class StoreMessageStoreContract {

    static final JavaCodec CODEC = new JavaCodec(
            AllowedClasses.of(
                    Stream.concat(SpringValues.OF_MESSAGING.stream(), Stream.of("dev.ttlstore.spring.messagestore.*"))
                            .toList()),
            "property",
            null);

    /** Returns the messages of this instance. */
    abstract StoreMessageStore messages();

    /** Returns the same messages as another instance has them. */
    abstract StoreMessageStore other();

    /** Returns the store of this instance. */
    abstract Store store();

    /** An id of a group. */
    record Order(int number) implements Serializable {}

    static Message<?> message(Object payload) {
        return new GenericMessage<>(payload);
    }

    static Message<?>[] messages(int count) {
        return IntStream.range(0, count).mapToObj(number -> message(number)).toArray(Message[]::new);
    }

    private List<Object> payloads(Object groupId) {
        return payloads(other().getMessagesForGroup(groupId));
    }

    private static List<Object> payloads(Collection<Message<?>> messages) {
        return messages.stream().<Object>map(Message::getPayload).toList();
    }

    private static UUID id(Message<?> message) {
        return requireNonNull(message.getHeaders().getId());
    }

    private long entries() {
        return store().group(StoreMessageStore.GROUP).count();
    }

    @Test
    void aGroupThatIsNotThereIsEmpty() {
        assertThat(messages().getMessageGroup("none"))
                .isInstanceOf(SimpleMessageGroup.class)
                .satisfies(group -> assertThat(group.size()).isZero());
        assertThat(messages().messageGroupSize("none")).isZero();
        assertThat(messages().getGroupMetadata("none")).isNull();
        assertThat(messages().getMessagesForGroup("none")).isEmpty();
        assertThat(messages().getOneMessageFromGroup("none")).isNull();
        assertThat(messages().pollMessageFromGroup("none")).isNull();
        assertThat(messages().getMessageFromGroup("none", UUID.randomUUID())).isNull();
        assertThat(messages().removeMessageFromGroupById("none", UUID.randomUUID()))
                .isFalse();
    }

    @Test
    void aChangeOfAGroupThatIsNotThereDoesNotCreateIt() {
        messages().removeMessageGroup("none");
        messages().removeMessagesFromGroup("none", message("1"));
        messages().completeGroup("none");
        messages().setGroupCondition("none", "condition");
        messages().setLastReleasedSequenceNumberForGroup("none", 5);
        assertThat(entries()).isZero();
    }

    @Test
    void messagesLeaveAGroupInTheOrderInWhichTheyCame() {
        messages().addMessagesToGroup("group", message("a"), message("b"));
        MessageGroup group = other().addMessageToGroup("group", message("c"));
        messages().addMessagesToGroup("another", message("x"));
        assertThat(group.size()).isEqualTo(3);
        assertThat(requireNonNull(group.getOne()).getPayload()).isEqualTo("a");
        assertThat(payloads(group.getMessages())).containsExactly("a", "b", "c");
        try (Stream<Message<?>> stream = group.streamMessages()) {
            assertThat(payloads(stream.toList())).containsExactly("a", "b", "c");
        }
        assertThat(requireNonNull(messages().pollMessageFromGroup("group")).getPayload())
                .isEqualTo("a");
        assertThat(requireNonNull(other().pollMessageFromGroup("group")).getPayload())
                .isEqualTo("b");
        messages().addMessagesToGroup("group", message("d"));
        assertThat(payloads("group")).containsExactly("c", "d");
        assertThat(payloads("another")).containsExactly("x");
    }

    /** As after a redelivery. */
    @Test
    void aGroupHasAMessageOnceAndOtherGroupsMayHaveItToo() {
        Message<?> first = message("a");
        messages().addMessagesToGroup("group", first, message("b"), first);
        other().addMessagesToGroup("group", first, message("c"));
        assertThat(payloads("group")).containsExactly("a", "b", "c");
        assertThat(messages().messageGroupSize("group")).isEqualTo(3);
        messages().addMessagesToGroup("another", first);
        messages().removeMessagesFromGroup("group", first);
        assertThat(payloads("another")).containsExactly("a");
        messages().addMessagesToGroup("group", first);
        assertThat(payloads("group")).containsExactly("b", "c", "a");
    }

    @Test
    void messagesCanBeRemoved() {
        Message<?>[] all = messages(5);
        messages().addMessagesToGroup("group", all);
        messages().removeMessagesFromGroup("group", all[1], message("unknown"), all[3]);
        assertThat(payloads("group")).containsExactly(0, 2, 4);
        assertThat(other().getMessageFromGroup("group", id(all[2]))).isEqualTo(all[2]);
        assertThat(other().getMessageFromGroup("group", id(all[1]))).isNull();
        assertThat(messages().removeMessageFromGroupById("group", id(all[0]))).isTrue();
        assertThat(messages().removeMessageFromGroupById("group", id(all[0]))).isFalse();
        assertThat(messages().messageGroupSize("group")).isEqualTo(2);
        messages().removeMessagesFromGroup("group", all);
        assertThat(messages().getMessageGroup("group").size()).isZero();
        assertThat(messages().getMessageGroupCount()).isEqualTo(1);
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void nothingIsLeftOfAGroup() {
        messages().addMessagesToGroup("group", messages(3));
        messages().completeGroup("group");
        other().removeMessageGroup("group");
        assertThat(entries()).isZero();
        MessageGroup next = messages().addMessageToGroup("group", message("next"));
        assertThat(next.isComplete()).isFalse();
        assertThat(payloads(next.getMessages())).containsExactly("next");
    }

    @Test
    void aGroupMayHaveMoreMessagesThanAPage() {
        Message<?>[] all = messages(250);
        messages().addMessagesToGroup("group", all);
        assertThat(payloads("group")).isEqualTo(IntStream.range(0, 250).boxed().toList());
        messages().addMessagesToGroup("another", message("x"));
        messages().removeMessageGroup("group");
        assertThat(entries()).isEqualTo(3);
        assertThat(payloads("group")).isEmpty();
    }

    /** As those of a delayer whose messages have long and short delays. */
    @Test
    void aGroupMayHaveManyGaps() {
        Message<?>[] all = messages(600);
        messages().addMessagesToGroup("group", all);
        List<Message<?>> gone = new ArrayList<>(List.of(all));
        gone.removeAll(List.of(all[7], all[300], all[599]));
        messages().removeMessagesFromGroup("group", gone);
        assertThat(payloads("group")).containsExactly(7, 300, 599);
        messages().addMessagesToGroup("group", message(600));
        List<Object> polled = new ArrayList<>();
        for (Message<?> next = other().pollMessageFromGroup("group");
                next != null;
                next = other().pollMessageFromGroup("group")) {
            polled.add(next.getPayload());
        }
        assertThat(polled).containsExactly(7, 300, 599, 600);
        assertThat(messages().messageGroupSize("group")).isZero();
    }

    @Test
    void aGroupHasAState() {
        messages().addMessagesToGroup("group", message("a"));
        MessageGroup created = other().getMessageGroup("group");
        assertThat(created.getLastModified()).isEqualTo(created.getTimestamp()).isPositive();
        assertThat(created.isComplete()).isFalse();
        assertThat(created.getCondition()).isNull();
        assertThat(created.getLastReleasedMessageSequenceNumber()).isZero();
        messages().completeGroup("group");
        messages().setGroupCondition("group", "a condition\ud800");
        messages().setLastReleasedSequenceNumberForGroup("group", 5);
        MessageGroup changed = other().getMessageGroup("group");
        assertThat(changed.isComplete()).isTrue();
        assertThat(changed.getCondition()).isEqualTo("a condition\ud800");
        assertThat(changed.getLastReleasedMessageSequenceNumber()).isEqualTo(5);
        assertThat(changed.getTimestamp()).isEqualTo(created.getTimestamp());
        assertThat(changed.size()).isEqualTo(1);
        MessageGroupMetadata metadata = requireNonNull(other().getGroupMetadata("group"));
        assertThat(metadata.isComplete()).isTrue();
        assertThat(metadata.getCondition()).isEqualTo("a condition\ud800");
        assertThat(metadata.getLastReleasedMessageSequenceNumber()).isEqualTo(5);
        assertThat(metadata.getTimestamp()).isEqualTo(changed.getTimestamp());
        assertThat(metadata.getLastModified()).isEqualTo(changed.getLastModified());
    }

    @Test
    void allGroupsAreFoundByTheirIds() {
        Set<Object> ids =
                Set.of("text", "", "\0\ud800", "long".repeat(1_000), 17, 18L, UUID.randomUUID(), new Order(1));
        ids.forEach(id -> messages().addMessagesToGroup(id, message(id), message("another")));
        Set<Object> found = new HashSet<>();
        for (MessageGroup group : other()) {
            found.add(group.getGroupId());
            assertThat(payloads(group.getMessages())).containsExactly(group.getGroupId(), "another");
            messages().removeMessagesFromGroup(group.getGroupId(), group.getMessages());
        }
        assertThat(found).isEqualTo(ids);
        assertThat(other().getMessageGroupCount()).isEqualTo(ids.size());
        assertThat(other().getMessageCountForAllMessageGroups()).isZero();
        for (MessageGroup group : other()) {
            messages().removeMessageGroup(group.getGroupId());
        }
        assertThat(entries()).isZero();
    }

    /** Its aggregator looks for groups by that. */
    @Test
    void aGroupIsFoundByWhatSpringIntegrationMakesOfItsId() {
        messages().addMessagesToGroup("group", message("a"), message("b"));
        UUID converted = requireNonNull(UUIDConverter.getUUID("group"));
        assertThat(messages().getMessageGroup(converted).size()).isEqualTo(2);
        messages().removeMessageGroup(converted);
        assertThat(messages().getMessageGroup("group").size()).isZero();
    }

    @Test
    void messagesOfNoGroupAreApart() {
        Message<?> message = message("a");
        assertThat(messages().addMessage(message)).isSameAs(message);
        assertThat(messages().addMessage(message)).isSameAs(message);
        messages().addMessagesToGroup("group", message);
        assertThat(other().getMessage(id(message))).isEqualTo(message);
        assertThat(requireNonNull(other().getMessageMetadata(id(message))).getTimestamp())
                .isPositive();
        assertThat(other().getMessageCount()).isEqualTo(1);
        assertThat(other().removeMessage(id(message))).isEqualTo(message);
        assertThat(messages().removeMessage(id(message))).isNull();
        assertThat(messages().getMessage(id(message))).isNull();
        assertThat(messages().getMessageMetadata(id(message))).isNull();
        assertThat(messages().getMessageCount()).isZero();
        assertThat(payloads("group")).containsExactly("a");
    }

    @Test
    void everyKindOfMessageIsKept() throws ReflectiveOperationException {
        DirectChannel channel = new DirectChannel();
        channel.setBeanName("channel");
        Message<?> generic = MessageHistory.write(new GenericMessage<>(new Date(), Map.of("header", 1)), channel);
        Message<?> mutable = new MutableMessage<>(UUID.randomUUID());
        var wrapper = DelayedMessageWrapper.class.getDeclaredConstructor(Message.class, long.class);
        wrapper.setAccessible(true);
        Message<?> delayed = message(wrapper.newInstance(generic, 1L));
        ErrorMessage error = new ErrorMessage(
                new MessageHandlingException(generic, "refused", new IllegalStateException("cause")), mutable);
        messages().addMessagesToGroup("group", generic, mutable, new AdviceMessage<>("a", generic), error, delayed);
        List<Message<?>> read = List.copyOf(other().getMessagesForGroup("group"));
        assertThat(read.get(0)).isEqualTo(generic);
        assertThat(requireNonNull(MessageHistory.read(read.get(0))).get(0)).containsEntry("name", "channel");
        assertThat(read.get(1)).isEqualTo(mutable);
        assertThat(((AdviceMessage<?>) read.get(2)).getInputMessage()).isEqualTo(generic);
        assertThat(((ErrorMessage) read.get(3)).getPayload())
                .hasMessage("refused")
                .hasRootCauseMessage("cause");
        assertThat(((ErrorMessage) read.get(3)).getOriginalMessage()).isEqualTo(mutable);
        assertThat(read.get(4)).isEqualTo(delayed);
    }

    /** Without a lock that instances share. */
    @Test
    void ofMessagesThatInstancesAddAtOnceNoneIsLostAndEachIsPolledOnce() throws Exception {
        int each = 20;
        try (SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor()) {
            List<Future<?>> adding = new ArrayList<>();
            for (StoreMessageStore mine : List.of(messages(), other())) {
                adding.add(executor.submit(() -> {
                    for (Message<?> message : messages(each)) {
                        mine.addMessagesToGroup("group", message);
                    }
                }));
            }
            for (Future<?> one : adding) {
                Object unused = one.get(60, TimeUnit.SECONDS);
            }
            assertThat(messages().messageGroupSize("group")).isEqualTo(2 * each);
            List<Future<List<UUID>>> polling = new ArrayList<>();
            for (StoreMessageStore mine : List.of(messages(), other())) {
                polling.add(executor.submit(() -> {
                    List<UUID> polled = new ArrayList<>();
                    for (Message<?> next = mine.pollMessageFromGroup("group");
                            next != null;
                            next = mine.pollMessageFromGroup("group")) {
                        polled.add(id(next));
                    }
                    return polled;
                }));
            }
            List<UUID> polled = new ArrayList<>();
            for (Future<List<UUID>> one : polling) {
                polled.addAll(one.get(60, TimeUnit.SECONDS));
            }
            assertThat(polled).hasSize(2 * each).doesNotHaveDuplicates();
        }
    }

    @Test
    void groupsCanBeReadWhileOthersAreRemoved() {
        for (int group = 0; group < 10; group++) {
            messages().addMessagesToGroup(group, message("a"));
        }
        Iterator<MessageGroup> groups = messages().iterator();
        while (groups.hasNext()) {
            messages().removeMessageGroup(groups.next().getGroupId());
        }
        assertThat(messages().getMessageGroupCount()).isZero();
    }
}
