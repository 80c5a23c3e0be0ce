package dev.ttlstore.engine;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a batch has come to.
 *
 * @param answers the answers to its requests, in their order
 * @param result the result of its command; null if it has none
 * @param writes what was stored
 * @param recorded whether a delivery was recorded for a subscriber
 * @since 0.1
 */
public record Committed(List<Answer> answers, @Nullable Object result, WriteSet writes, boolean recorded) {}
