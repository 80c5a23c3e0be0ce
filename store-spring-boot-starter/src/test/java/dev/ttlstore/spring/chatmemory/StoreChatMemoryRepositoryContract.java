package dev.ttlstore.spring.chatmemory;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.MonthDay;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.chrono.ThaiBuddhistDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.jspecify.annotations.Nullable;
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
import dev.ttlstore.exception.CodecException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
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

    /** As parts of an answer that is streamed are. */
    @Test
    void partsOfToolCallsThatAreMissingStayMissing() {
        Message call = AssistantMessage.builder()
                .content("")
                .toolCalls(List.of(new ToolCall(null, "function", null, "")))
                .build();
        assertThat(saved(call)).containsExactly(call);
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
                "small",
                7L,
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
    void metadataKeepTheirClasses() {
        List<@Nullable Object> list = new ArrayList<>(List.of(1L, 2, (short) 3, (byte) 4, 0.5f, 1.0));
        list.add(null);
        Map<String, Object> metadata = new HashMap<>(Map.of(
                "list",
                list,
                "set",
                Set.of(1L),
                "infinite",
                Double.POSITIVE_INFINITY,
                "scaled",
                new BigDecimal("1.10"),
                "huge",
                BigInteger.TEN,
                "at",
                Instant.EPOCH,
                "zoned",
                ZonedDateTime.of(2030, 1, 1, 0, 0, 0, 1, ZoneId.of("Europe/Berlin")),
                "took",
                Duration.ofMillis(5),
                "id",
                new UUID(1, 2),
                "map",
                Map.of("@kind", "Long", "value", "x")));
        metadata.put("none", null);
        metadata.put("years", List.of(Year.of(2030), Year.of(12_345), YearMonth.of(2030, 1), MonthDay.of(2, 29)));
        metadata.put("times", List.of(OffsetTime.MAX, Period.of(1, 2, 3)));
        Message message = UserMessage.builder().text("Hi").metadata(metadata).build();
        assertThat(saved(message)).containsExactly(message);
    }

    @Test
    void otherMetadataBecomeTextsOrAreLeftOut() {
        Message message = UserMessage.builder()
                .text("Hi")
                .metadata(Map.of(
                        "kind",
                        MessageType.TOOL,
                        "day",
                        ThaiBuddhistDate.of(2573, 1, 1),
                        "object",
                        new Object(),
                        "half\ud800",
                        "half\ud800",
                        "inner",
                        Map.of("half\ud800", 1)))
                .build();
        assertThat(saved(message)).singleElement().satisfies(read -> assertThat(read.getMetadata())
                .containsEntry("kind", "TOOL")
                .containsEntry("day", "ThaiBuddhist BE 2573-01-01")
                .containsEntry("inner", Map.of())
                .doesNotContainKeys("object", "half\ud800"));
    }

    @Test
    void metadataOfEarlierReleasesAreRead() {
        store().group(StoreChatMemoryRepository.GROUP)
                .put("chat", "[{\"type\":\"USER\",\"text\":\"Hi\",\"metadata\":{\"small\":7,\"big\":10000000000}}]");
        assertThat(chats().findByConversationId("chat"))
                .singleElement()
                .satisfies(read ->
                        assertThat(read.getMetadata()).containsEntry("small", 7).containsEntry("big", 10_000_000_000L));
    }

    /** As the messages of some models are. */
    static final class Reasoning extends AssistantMessage {
        private final String reasoning;

        Reasoning(String text, String reasoning) {
            super(text);
            this.reasoning = reasoning;
        }

        @Override
        public String toString() {
            return reasoning;
        }
    }

    @Test
    void aMessageWhoseOwnStateWouldBeLostIsRefused() {
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> saved(new Reasoning("Hi", "hunter2")))
                .withMessageContaining(Reasoning.class.getName())
                .withMessageContaining("AssistantMessage.builder()")
                .withMessageNotContaining("hunter2");
        assertThat(chats().findByConversationId("chat")).isEmpty();
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
