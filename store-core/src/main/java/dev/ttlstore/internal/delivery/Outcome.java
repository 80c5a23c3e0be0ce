package dev.ttlstore.internal.delivery;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Delivery;

/**
 * The outcome of a handler's call for a delivery.
 *
 * @param delivery the delivery
 * @param failure the exception of the call; null if the handler has returned
 */
record Outcome(Delivery delivery, @Nullable Throwable failure) {}
