/** Tests. */
@NullMarked
package dev.ttlstore.spring.chatmemory;

import org.jspecify.annotations.NullMarked;
