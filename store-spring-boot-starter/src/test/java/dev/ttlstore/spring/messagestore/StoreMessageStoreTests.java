package dev.ttlstore.spring.messagestore;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.store.MessageGroup;
import org.springframework.integration.store.MessageGroupQueue;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.support.GenericMessage;

import dev.ttlstore.Codec;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.MovableClock;
import dev.ttlstore.spring.values.SpringValues;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Messages in a store in memory. */
@ExtendWith(OutputCaptureExtension.class)
class StoreMessageStoreTests extends StoreMessageStoreContract {

    private final MovableClock clock = new MovableClock();
    private final Store store = Store.builder().inMemory().clock(clock).open();
    private final StoreMessageStore messages = new StoreMessageStore(store, CODEC);
    private final StoreMessageStore other = new StoreMessageStore(store, CODEC);

    @Override
    StoreMessageStore messages() {
        return messages;
    }

    @Override
    StoreMessageStore other() {
        return other;
    }

    @Override
    Store store() {
        return store;
    }

    @AfterEach
    void close() {
        store.close();
    }

    private List<Object> collectExpired() {
        List<Object> expired = new ArrayList<>();
        messages.registerMessageGroupExpiryCallback((all, group) -> {
            expired.add(group.getGroupId());
            all.removeMessageGroup(group.getGroupId());
        });
        return expired;
    }

    @Test
    void groupsExpireByTheirAgeInTheTimeOfTheStore() {
        List<Object> expired = collectExpired();
        messages.addMessagesToGroup(1, message("a"));
        clock.advance(Duration.ofSeconds(2));
        messages.addMessagesToGroup(1, message("b"));
        messages.addMessagesToGroup(2, message("c"));
        assertThat(messages.expireMessageGroups(3_000)).isZero();
        assertThat(messages.expireMessageGroups(Long.MAX_VALUE)).isZero();
        assertThat(messages.expireMessageGroups(1_000)).isEqualTo(1);
        assertThat(expired).containsExactly(1);
        assertThat(messages.expireMessageGroups(Long.MIN_VALUE)).isEqualTo(1);
        assertThat(store.count()).isZero();
    }

    @Test
    void groupsExpireWhenTheyAreIdleIfThatIsSet() {
        List<Object> expired = collectExpired();
        messages.setTimeoutOnIdle(true);
        messages.addMessagesToGroup("busy", message("a"));
        messages.addMessagesToGroup("idle", message("b"));
        clock.advance(Duration.ofSeconds(2));
        messages.addMessagesToGroup("busy", message("c"));
        assertThat(messages.getMessageGroup("busy").getLastModified())
                .isEqualTo(messages.getMessageGroup("busy").getTimestamp() + 2_000);
        assertThat(messages.expireMessageGroups(1_000)).isEqualTo(1);
        assertThat(expired).containsExactly("idle");
    }

    /** As a kill leaves them, which ends an instance between the commit that removes a large group and those that delete its messages. */
    @Test
    void whatAKillHasLeftOfAGroupIsNoPartOfTheNextOneAndIsDeletedLater() {
        messages.addMessagesToGroup("group", messages(250));
        GroupHead head = new MessageGroups(store, StoreMessageStore.GROUP, CODEC)
                .head("group")
                .orElseThrow();
        Group<byte[]> rows = store.group(StoreMessageStore.GROUP, Codec.bytes());
        boolean unused = store.batch()
                .delete(rows, MessageKeys.head("group"))
                .put(rows, MessageKeys.leftover(head.token()), new byte[0], Expiry.never())
                .write();
        assertThat(messages.getMessageGroupCount()).isZero();
        messages.addMessagesToGroup("group", message("next"));
        assertThat(messages.getMessagesForGroup("group")).hasSize(1);
        assertThat(messages.expireMessageGroups(Long.MAX_VALUE)).isZero();
        assertThat(store.count()).isEqualTo(3);
        assertThat(messages.getMessagesForGroup("group")).hasSize(1);
    }

    @Test
    void messagesOfAScopeAreItsOwn() {
        StoreMessageStore ofScope = new StoreMessageStore(store.scope("acme"), CODEC);
        ofScope.addMessagesToGroup("group", message("a"));
        assertThat(messages.messageGroupSize("group")).isZero();
        assertThat(ofScope.messageGroupSize("group")).isEqualTo(1);
    }

    @Test
    void aMessageNeedsAnIdAndAClassThatMayBeStored() {
        Message<?> withoutId =
                new GenericMessage<>("a", new MessageHeaders(Map.of(), MessageHeaders.ID_VALUE_NONE, null) {
                    private static final long serialVersionUID = 1L;
                });
        assertThatIllegalArgumentException()
                .isThrownBy(() -> messages.addMessagesToGroup("group", message("b"), withoutId))
                .withMessageContaining("ID header");
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(
                        () -> messages.addMessagesToGroup("group", message("b"), message(new StringBuilderHolder())))
                .withMessageContaining("StringBuilderHolder");
        assertThat(store.count()).isZero();
    }

    private static final class StringBuilderHolder {}

    /** As that of a channel to which a gateway waits for a reply. */
    @Test
    void aHeaderThatCannotBeStoredIsLeftOutAndTheLogSaysSoOnce(CapturedOutput output) {
        for (int i = 0; i < 2; i++) {
            messages.addMessagesToGroup(
                    "group", new GenericMessage<>("a", Map.of("replyChannel", new QueueChannel(), "b", 1)));
        }
        assertThat(requireNonNull(messages.getOneMessageFromGroup("group")).getHeaders())
                .containsEntry("b", 1)
                .doesNotContainKey("replyChannel");
        assertThat(output.getOut().split("QueueChannel, which is not Serializable", -1))
                .hasSize(2);
    }

    /** After an upgrade, for example. */
    @Test
    void aMessageThatCannotBeReadStaysUntilItIsRemoved() {
        messages.addMessagesToGroup("group", message(new Order(1)));
        UUID id = requireNonNull(requireNonNull(messages.getOneMessageFromGroup("group"))
                .getHeaders()
                .getId());
        StoreMessageStore later = new StoreMessageStore(
                store,
                new JavaCodec(
                        AllowedClasses.of(SpringValues.OF_MESSAGING), "store.message-store.allowed-classes", null));
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> later.pollMessageFromGroup("group"))
                .withMessageContaining("store.message-store.allowed-classes");
        assertThat(later.messageGroupSize("group")).isEqualTo(1);
        assertThat(later.removeMessageFromGroupById("group", id)).isTrue();
        messages.addMessagesToGroup("group", message(new Order(2)));
        later.removeMessageGroup("group");
        assertThat(store.count()).isZero();
    }

    @Test
    void groupsMayBeReadAtOnceInsteadOfLater() {
        messages.addMessagesToGroup("group", messages(3));
        messages.setLazyLoadMessageGroups(false);
        MessageGroup group = messages.getMessageGroup("group");
        messages.removeMessageGroup("group");
        assertThat(group.getMessages()).hasSize(3);
    }

    @Test
    void aQueueChannelKeepsItsMessages() {
        QueueChannel channel = new QueueChannel(new MessageGroupQueue(messages, "channel"));
        Stream.of("a", "b")
                .forEach(payload -> assertThat(channel.send(message(payload))).isTrue());
        QueueChannel afterRestart = new QueueChannel(new MessageGroupQueue(other, "channel"));
        assertThat(requireNonNull(afterRestart.receive(0)).getPayload()).isEqualTo("a");
        assertThat(requireNonNull(channel.receive(0)).getPayload()).isEqualTo("b");
        assertThat(channel.receive(0)).isNull();
    }
}
