/**
 * Holds Spring AI's chat memory repository in a store. Conversations come in as lists of messages. Each goes out to
 * one entry as JSON, which expires some time after it was last saved.
 */
@NullMarked
package dev.ttlstore.spring.chatmemory;

import org.jspecify.annotations.NullMarked;
