/** Spring AI's chat memory repository in a store. Each conversation is one entry, as JSON, that expires. */
@NullMarked
package dev.ttlstore.spring.chatmemory;

import org.jspecify.annotations.NullMarked;
