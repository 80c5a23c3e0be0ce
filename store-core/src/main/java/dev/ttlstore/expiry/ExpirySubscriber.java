package dev.ttlstore.expiry;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A subscriber, and how far it has come.
 *
 * @param name its name
 * @param groups the group that it has subscribed to, or how the names of its groups begin
 * @param prefix whether {@code groups} is the beginning of names; then an empty one stands for all groups
 * @param active whether its handler is there now; without, its deliveries wait
 * @param pending how many expiries are still to be handled
 * @param oldest when the one of them expired that has waited longest; null if there is none
 * @param deadLetters how many have been set aside
 * @param handled how many its handler has dealt with since the store was opened
 * @param failures how many attempts of its handler have failed since then
 * @param dropped how many have been dropped since then, because more waited for a handler that is not there
 *     than are kept
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
