package dev.ttlstore.spring.chatmemory;

import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

import dev.ttlstore.Store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What Spring AI's own tests ask of each repository, and that nothing of a message is lost; on each engine. */
@SuppressWarnings("NullAway") // null is refused
abstract class StoreChatMemoryRepositoryContract {

    /** Returns the repository, which is empty. */
    abstract StoreChatMemoryRepository chats();

    abstract Store store();

    private List<Message> saved(Message... messages) {
        chats().saveAll("chat", List.of(messages));
        return chats().findByConversationId("chat");
    }

    @Test
    void messagesOfAllTypesAreKeptInTheirOrder() {
        List<Message> messages = List.of(
                new SystemMessage("Be brief"),
                new UserMessage("Wie wird das Wetter? 🌦"),
                AssistantMessage.builder()
                        .content(null)
                        .toolCalls(List.of(
                                new ToolCall("1", "function", "weather", "{\"city\":\"Köln\"}"),
                                new ToolCall("2", "function", "time", "{}")))
                        .build(),
                ToolResponseMessage.builder()
                        .responses(List.of(
                                new ToolResponse("1", "weather", "\"rain\""), new ToolResponse("2", "time", "12")))
                        .build(),
                new AssistantMessage("Regen"));
        assertThat(saved(messages.toArray(Message[]::new))).isEqualTo(messages);
    }

    @Test
    void aLongConversationKeepsItsOrder() {
        List<Message> messages = new ArrayList<>();
        IntStream.range(0, 500).forEach(i -> messages.add(new UserMessage("Message " + i)));
        chats().saveAll("chat", messages);
        assertThat(chats().findByConversationId("chat")).isEqualTo(messages);
    }

    @Test
    void metadataThatJsonCanHoldAreKept() {
        Map<String, Object> metadata = Map.of(
                "id",
                "chatcmpl-1",
                "index",
                0,
                "big",
                10_000_000_000L,
                "score",
                0.5,
                "refused",
                false,
                "tags",
                List.of("a", 1, List.of()),
                "usage",
                Map.of("tokens", 7));
        assertThat(saved(AssistantMessage.builder()
                        .content("Hi")
                        .properties(metadata)
                        .build()))
                .singleElement()
                .satisfies(message -> assertThat(message.getMetadata())
                        .containsAllEntriesOf(metadata)
                        .containsEntry("messageType", MessageType.ASSISTANT)
                        .hasSize(metadata.size() + 1));
    }

    @Test
    void otherMetadataBecomeTextsOrAreLeftOut() {
        Message message = UserMessage.builder()
                .text("Hi")
                .metadata(Map.of(
                        "at", Instant.EPOCH, "kind", MessageType.TOOL, "object", new Object(), "short", (short) 1))
                .build();
        assertThat(saved(message)).singleElement().satisfies(read -> assertThat(read.getMetadata())
                .containsEntry("at", "1970-01-01T00:00:00Z")
                .containsEntry("kind", "TOOL")
                .containsEntry("short", 1)
                .doesNotContainKey("object"));
    }

    @Test
    void mediaAreKept() throws Exception {
        List<Media> media = List.of(
                Media.builder()
                        .mimeType(MimeTypeUtils.IMAGE_PNG)
                        .data(new byte[] {1, 2, -1})
                        .id("id")
                        .name("image")
                        .build(),
                new Media(MimeTypeUtils.IMAGE_JPEG, URI.create("https://example.org/a.jpg")),
                Media.builder()
                        .mimeType(MimeTypeUtils.IMAGE_GIF)
                        .data(URI.create("https://example.org/a.gif").toURL())
                        .build());
        Message user = UserMessage.builder().text("Look").media(media).build();
        Message assistant =
                AssistantMessage.builder().content("Here").media(media).build();
        List<Message> read = saved(user, assistant);
        RecursiveComparisonConfiguration byContent = RecursiveComparisonConfiguration.builder()
                .withEqualsForType(MimeType::equals, MimeType.class)
                .build();
        assertThat(((UserMessage) read.get(0)).getMedia())
                .usingRecursiveFieldByFieldElementComparator(byContent)
                .isEqualTo(media);
        assertThat(((AssistantMessage) read.get(1)).getMedia())
                .usingRecursiveFieldByFieldElementComparator(byContent)
                .isEqualTo(media);
    }

    @Test
    void savingReplacesWhatWasThere() {
        assertThat(saved(new UserMessage("one"), new UserMessage("two"))).hasSize(2);
        assertThat(saved(new UserMessage("three"))).extracting(Message::getText).containsExactly("three");
        chats().saveAll("chat", List.of());
        assertThat(chats().findByConversationId("chat")).isEmpty();
        assertThat(chats().findConversationIds()).isEmpty();
    }

    @Test
    void conversationsAreFoundAndDeleted() {
        chats().saveAll("one", List.of(new UserMessage("1")));
        chats().saveAll("other", List.of(new UserMessage("2")));
        assertThat(chats().findConversationIds()).containsExactly("one", "other");
        chats().deleteByConversationId("one");
        chats().deleteByConversationId("one");
        assertThat(chats().findConversationIds()).containsExactly("other");
        assertThat(chats().findByConversationId("one")).isEmpty();
        boolean unused = store().group(StoreChatMemoryRepository.GROUP).expireNow("other");
        assertThat(chats().findConversationIds()).isEmpty();
    }

    @Test
    void badArgumentsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> chats().findByConversationId(" "))
                .withMessageContaining("'conversationId'");
        assertThatIllegalArgumentException().isThrownBy(() -> chats().deleteByConversationId(null));
        assertThatIllegalArgumentException().isThrownBy(() -> chats().saveAll("", List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> chats().saveAll("chat", null))
                .withMessageContaining("'messages'");
        List<Message> withNull = new ArrayList<>();
        withNull.add(null);
        assertThatIllegalArgumentException().isThrownBy(() -> chats().saveAll("chat", withNull));
    }

    @Test
    void aWindowOfMessagesIsKept() {
        ChatMemory memory = MessageWindowChatMemory.builder()
                .chatMemoryRepository(chats())
                .maxMessages(3)
                .build();
        memory.add("chat", new SystemMessage("Be brief"));
        IntStream.range(0, 10).forEach(i -> memory.add("chat", new UserMessage("Message " + i)));
        memory.add("chat", new SystemMessage("Be brief"));
        assertThat(memory.get("chat")).extracting(Message::getText).contains("Be brief", "Message 9");
        memory.clear("chat");
        assertThat(memory.get("chat")).isEmpty();
    }
}
