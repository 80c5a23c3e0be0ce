package dev.ttlstore.spring.benchmark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.memory.repository.jdbc.JdbcChatMemoryRepository;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.core.io.ClassPathResource;

import dev.ttlstore.spring.chatmemory.StoreChatMemoryRepository;

/** Spring AI's chat memories, with conversations of twenty messages, as its window keeps them by default. */
final class ChatRaces {

    private static final int MESSAGES = 20;

    private final Race read = new Race("chat memory: read a conversation", 1);
    private final Race save = new Race("chat memory: save a conversation", 1);

    private ChatRaces() {}

    static List<Race> of(Bench bench) throws IOException {
        ChatRaces races = new ChatRaces();
        bench.stores()
                .forEach((side, store) -> races.add(side, new StoreChatMemoryRepository(store, Duration.ofDays(30))));
        bench.database()
                .jdbc()
                .execute(new ClassPathResource(
                                "org/springframework/ai/chat/memory/repository/jdbc/schema-postgresql.sql")
                        .getContentAsString(StandardCharsets.UTF_8));
        races.add(
                Side.JDBC,
                JdbcChatMemoryRepository.builder()
                        .jdbcTemplate(bench.database().jdbc())
                        .build());
        return List.of(races.read, races.save);
    }

    private void add(Side side, ChatMemoryRepository repository) {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < MESSAGES / 2; i++) {
            messages.add(new UserMessage("What is the capital of country number " + i + "?"));
            messages.add(new AssistantMessage("The capital of country number " + i + " is city number " + i + "."));
        }
        Bench.forEachKey(key -> repository.saveAll("chat " + key, messages));
        read.add(
                side,
                () -> Race.require(
                        repository
                                        .findByConversationId("chat " + Bench.random())
                                        .size()
                                == MESSAGES,
                        "messages are missing"));
        save.add(side, () -> repository.saveAll("chat " + Bench.random(), messages));
    }
}
