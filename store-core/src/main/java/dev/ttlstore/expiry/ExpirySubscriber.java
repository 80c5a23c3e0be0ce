package dev.ttlstore.expiry;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A subscriber and its progress.
 *
 * @param name its name
 * @param groups the name of its group, the prefix of its groups' names, or a pattern such as {@code *:secrets}
 * @param prefix whether {@code groups} is a prefix; an empty prefix means all groups
 * @param active whether its handler is registered now; without a handler, its deliveries wait
 * @param pending how many expiries wait for the handler
 * @param oldest the earliest expiry among them; null if there is none
 * @param deadLetters how many dead letters it has
 * @param handled how many expiries its handler has handled since the store was opened
 * @param failures how many attempts have failed since then
 * @param dropped how many expiries were dropped since then, because too many waited for a missing handler
 * @since 0.1
 * @see dev.ttlstore.ExpiryEvents#expirySubscribers()
 */
public record ExpirySubscriber(
        String name,
        String groups,
        boolean prefix,
        boolean active,
        long pending,
        @Nullable Instant oldest,
        long deadLetters,
        long handled,
        long failures,
        long dropped) {}
