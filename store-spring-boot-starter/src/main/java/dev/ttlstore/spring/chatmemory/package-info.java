/**
 * Holds Spring AI's chat memory repository in a store. Conversations come in from Spring AI, and the properties
 * {@code store.chat-memory}. They go out as entries of JSON that expire, one for each conversation.
 */
@NullMarked
package dev.ttlstore.spring.chatmemory;

import org.jspecify.annotations.NullMarked;
