package dev.ttlstore.spring.chatmemory;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of Spring AI's chat memories in the store.
 *
 * @param enabled Whether the conversations of Spring AI's chat memory are in the store.
 * @param ttl Time that a conversation lives after its last message. Zero for ever.
 * @since 0.1
 * @see StoreChatMemoryRepository
 */
@ConfigurationProperties("store.chat-memory")
public record StoreChatMemoryProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("30d") Duration ttl) {}
