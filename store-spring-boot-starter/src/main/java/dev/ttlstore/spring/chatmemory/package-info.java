/** Spring AI's chat memories in a store. */
@NullMarked
package dev.ttlstore.spring.chatmemory;

import org.jspecify.annotations.NullMarked;
