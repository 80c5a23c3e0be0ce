package dev.ttlstore.spring.chatmemory;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.messages.Message;

import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.Keyspace;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.spring.keys.TextKeys;

/**
 * Keeps Spring AI's chat memories in a store. A conversation is one entry, which expires some time after it was last
 * saved. It keeps texts, tool calls and their responses, media, and the metadata that JSON can hold. A conversation
 * that cannot be read counts as empty. On PostgreSQL, the repository takes part in the application's transaction.
 * Thread-safe.
 *
 * <pre>{@code
 * ChatMemory memory = MessageWindowChatMemory.builder()
 *         .chatMemoryRepository(new StoreChatMemoryRepository(store, Duration.ofDays(30)))
 *         .build();
 * }</pre>
 *
 * <p>All methods throw {@link IllegalArgumentException} for a blank conversation id, and a
 * {@link dev.ttlstore.exception.StoreException} if the store fails. Any other text is an id. One conversation has at
 * most {@code store.max-value-size}.
 *
 * @since 0.1
 * @see StoreChatMemoryProperties
 */
public final class StoreChatMemoryRepository implements ChatMemoryRepository {

    private static final Logger log = LoggerFactory.getLogger(StoreChatMemoryRepository.class);

    /** The group that holds the conversations, by id, or by the hash of an id that is not a valid key. */
    public static final String GROUP = "chat-memory";

    private final Group<Conversation> conversations;
    private final Expiry expiry;

    /**
     * Creates the repository.
     *
     * @param store the store or scope that holds the conversations
     * @param ttl how long a conversation lives after it was last saved; zero for ever
     * @throws IllegalArgumentException if the ttl is negative, or above 146 million years
     */
    public StoreChatMemoryRepository(Keyspace store, Duration ttl) {
        this.conversations = Objects.requireNonNull(store, "'store' must not be null")
                .group(GROUP, new Conversation.OfMessages(new MessagesCodec()));
        Objects.requireNonNull(ttl, "'ttl' must not be null");
        if (ttl.isNegative()) {
            throw new IllegalArgumentException("'ttl' must not be negative, but is " + ttl + "; zero is for ever");
        }
        this.expiry = ttl.isZero() ? Expiry.never() : Expiry.after(ttl);
    }

    /** Returns the ids of the live conversations, in the order of their keys in the store. */
    @Override
    public List<String> findConversationIds() {
        try (Stream<String> keys = conversations.keys()) {
            return keys.flatMap(key -> id(key).stream()).toList();
        }
    }

    private Optional<String> id(String key) {
        return TextKeys.isHash(key) ? find(key).map(Conversation::id) : Optional.of(key);
    }

    /** Returns the messages of a conversation in the order in which they were saved; none if there is no live conversation. */
    @Override
    public List<Message> findByConversationId(String conversationId) {
        return find(key(conversationId)).map(Conversation::messages).orElse(List.of());
    }

    private Optional<Conversation> find(String key) {
        try {
            // Not by get: on PostgreSQL its answer may be older than what another instance has just added.
            return conversations.entry(key).map(Entry::value);
        } catch (CodecException | SealedValueException e) {
            log.warn("A conversation cannot be read; it counts as absent. {}", e.getMessage());
            return Optional.empty();
        }
    }

    /** Replaces the messages of a conversation and starts its ttl again. An empty list deletes the conversation. */
    @Override
    public void saveAll(String conversationId, List<Message> messages) {
        String key = key(conversationId);
        if (messages == null || messages.stream().anyMatch(Objects::isNull)) {
            throw new IllegalArgumentException("'messages' must neither be null nor contain null");
        }
        if (messages.isEmpty()) {
            deleteByConversationId(conversationId);
        } else {
            long unused = conversations.put(key, Conversation.of(conversationId, List.copyOf(messages)), expiry);
        }
    }

    @Override
    public void deleteByConversationId(String conversationId) {
        boolean unused = conversations.delete(key(conversationId));
    }

    private static String key(String conversationId) {
        if (conversationId == null || conversationId.isBlank()) {
            throw new IllegalArgumentException("'conversationId' must not be null or blank");
        }
        return TextKeys.of(conversationId);
    }
}
