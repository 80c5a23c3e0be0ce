package dev.ttlstore.engine;

import org.jspecify.annotations.Nullable;

/**
 * What an engine holds and knows.
 *
 * @param totals the numbers of live, expired and retained rows
 * @param sizes the room that the store uses
 * @param node what the engine knows of this process and the others that share its data; null if only this process can use them
 */
public record EngineStats(
        Totals totals, Sizes sizes, @Nullable NodeState node) {}
