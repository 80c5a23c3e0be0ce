package dev.ttlstore.spring.chatmemory;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.ttlstore.Store;
import dev.ttlstore.exception.ValueTooLargeException;
import dev.ttlstore.spring.MovableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Chat memories in a store in memory. */
@ExtendWith(OutputCaptureExtension.class)
class StoreChatMemoryRepositoryTests extends StoreChatMemoryRepositoryContract {

    private final MovableClock clock = new MovableClock();
    private final Store store = Store.builder().inMemory().clock(clock).open();
    private final StoreChatMemoryRepository chats = new StoreChatMemoryRepository(store, Duration.ofDays(30));

    @Override
    StoreChatMemoryRepository chats() {
        return chats;
    }

    @Override
    Store store() {
        return store;
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aConversationLivesForTheTtlAfterItWasSaved() {
        chats.saveAll("chat", List.of(new UserMessage("one")));
        clock.advance(Duration.ofDays(29));
        chats.saveAll("chat", List.of(new UserMessage("one"), new UserMessage("two")));
        clock.advance(Duration.ofDays(29));
        assertThat(chats.findByConversationId("chat")).hasSize(2);
        clock.advance(Duration.ofDays(1));
        assertThat(chats.findByConversationId("chat")).isEmpty();
        assertThat(chats.findConversationIds()).isEmpty();
    }

    @Test
    void zeroIsForEver() {
        new StoreChatMemoryRepository(store, Duration.ZERO).saveAll("chat", List.of(new UserMessage("one")));
        clock.advance(Duration.ofDays(10_000));
        assertThat(chats.findByConversationId("chat")).hasSize(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StoreChatMemoryRepository(store, Duration.ofMillis(-1)))
                .withMessageContaining("zero is for ever");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret",
                "{\"secret\": 1}",
                "[{\"type\":\"secret\",\"text\":\"x\"}]",
                "[{\"text\":\"secret\"}]",
                "[{\"type\":\"USER\",\"secret\":\"x\"}]",
                "[{\"type\":\"USER\",\"text\":\"x\",\"media\":[{\"mimeType\":\"secret\"}]}]",
                "[{\"type\":\"USER\",\"text\":\"x\",\"media\":[{\"mimeType\":\"a/b\",\"bytes\":\"!secret\"}]}]",
                "[{\"type\":\"USER\",\"text\":\"x\",\"media\":[{\"mimeType\":\"a/b\",\"url\":\"secret:x\"}]}]",
                ""
            })
    void whatCannotBeReadCountsAsEmptyAndIsNotQuoted(String stored, CapturedOutput output) {
        store.group(StoreChatMemoryRepository.GROUP).put("chat", stored);
        assertThat(chats.findByConversationId("chat")).isEmpty();
        assertThat(output).contains("cannot be read").doesNotContain("secret");
        chats.saveAll("chat", List.of(new UserMessage("again")));
        assertThat(chats.findByConversationId("chat")).hasSize(1);
    }

    @Test
    void whatALaterReleaseAddsIsPassedOver() {
        store.group(StoreChatMemoryRepository.GROUP)
                .put("chat", "[{\"type\":\"USER\",\"text\":\"Hi\",\"later\":{\"a\":1},\"metadata\":{}}]");
        assertThat(chats.findByConversationId("chat")).containsExactly(new UserMessage("Hi"));
    }

    @Test
    void aConversationHasTheSizeOfAValueAtMost() {
        assertThatExceptionOfType(ValueTooLargeException.class)
                .isThrownBy(() -> chats.saveAll("chat", List.of(new UserMessage("a".repeat(1_100_000)))));
    }
}
