/**
 * Holds the way from reactive applications to the blocking API of the store. Calls of the store come in as functions.
 * They go out as {@code Mono}s, which run the call on a thread that may wait.
 */
@NullMarked
package dev.ttlstore.spring.reactive;

import org.jspecify.annotations.NullMarked;
