package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;
import java.util.Locale;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

import dev.ttlstore.CopyProgress;
import dev.ttlstore.CopyResult;
import dev.ttlstore.StoreCopy;
import dev.ttlstore.spring.autoconfigure.StoreProperties.Engine;

/**
 * Copies the store of the properties to the other engine, and ends the process. It runs before any bean that could use a store is
 * created. If it fails, so does the start.
 */
final class StoreCopyCommand {

    private static final Logger log = LoggerFactory.getLogger(StoreCopyCommand.class);

    private static final long TOLD_EVERY_NANOS = Duration.ofSeconds(5).toNanos();

    private final StoreProperties properties;
    private final ConfiguredStore configured;
    private final ConfigurableListableBeanFactory beans;
    private long told = System.nanoTime();

    StoreCopyCommand(StoreProperties properties, ConfiguredStore configured, ConfigurableListableBeanFactory beans) {
        this.properties = properties;
        this.configured = configured;
        this.beans = beans;
    }

    /** Tests whether the properties ask for a copy. */
    static boolean isAsked(Environment environment) {
        return Binder.get(environment).bind("store.copy-to", String.class).isBound();
    }

    /** Copies, and ends the process. */
    void run() {
        copy();
        beans.destroySingletons(); // such as the pool of connections, which nobody closes during an exit
        System.exit(0);
    }

    /** Copies, and logs what it does. */
    CopyResult copy() {
        StoreCopy copy = configured.copy();
        Engine from = properties.engine();
        Engine to = from == Engine.SQLITE ? Engine.POSTGRESQL : Engine.SQLITE;
        log.info("Copying the store from {} to {}", configured.place(from), configured.place(to));
        CopyResult result = copy.onProgress(this::tell).run();
        log.info(
                "Copied and verified {} entries, {} retained entries, {} subscribers and {} deliveries in {} (checksum {})."
                        + " To use the copy, remove 'store.copy-to' and set 'store.engine={}'",
                result.entries(),
                result.retained(),
                result.subscribers(),
                result.deliveries(),
                result.elapsed(),
                result.checksum(),
                to.name().toLowerCase(Locale.ROOT));
        return result;
    }

    private void tell(CopyProgress progress) {
        long now = System.nanoTime();
        if (now - told >= TOLD_EVERY_NANOS) {
            told = now;
            log.info(
                    "{}: {} of {} rows, {} per second",
                    progress.phase() == CopyProgress.Phase.COPYING ? "Copying" : "Verifying",
                    progress.rows(),
                    progress.total(),
                    Math.round(progress.rate()));
        }
    }
}
