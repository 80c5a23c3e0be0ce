package dev.ttlstore;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;

import dev.ttlstore.engine.EngineFactory;

/**
 * The settings of a {@link StoreCopy}, as a {@link StoreFactory} reads them.
 *
 * @param source where the store is
 * @param target where it is copied to
 * @param clock the source of time
 * @param lockTimeout how long opening waits while another process owns the data
 * @param progress receives the progress of the copy
 * @since 0.1
 * @see StoreCopy
 * @see StoreFactory
 */
public record CopySettings(
        EngineFactory source,
        EngineFactory target,
        InstantSource clock,
        Duration lockTimeout,
        Consumer<? super CopyProgress> progress) {}
