package dev.ttlstore.spring.metrics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.function.ToDoubleFunction;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.spring.backup.StoreBackupJob;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;

import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Meters of scheduled backups: how many succeeded and failed, how old the newest one is, and how large. Thread-safe.
 *
 * <pre>{@code
 * void measure(StoreBackupJob backups, MeterRegistry registry) {
 *     new BackupMeters(backups).bindTo(registry);
 * }
 * }</pre>
 *
 * @since 0.1
 * @see StoreBackupJob
 */
public final class BackupMeters implements MeterBinder {

    private static final Logger log = LoggerFactory.getLogger(BackupMeters.class);

    private final StoreBackupJob job;

    /**
     * Creates the meters.
     *
     * @param job makes the backups
     */
    public BackupMeters(StoreBackupJob job) {
        this.job = job;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        count(registry, "success", StoreBackupJob::successes);
        count(registry, "failure", StoreBackupJob::failures);
        TimeGauge.builder("store.backup.age", job, SECONDS, of(backup -> age(backup.time())))
                .description("Age of the newest backup")
                .register(registry);
        Gauge.builder("store.backup.size", job, of(backup -> Files.size(backup.path())))
                .description("Size of the newest backup")
                .baseUnit("bytes")
                .register(registry);
    }

    private void count(MeterRegistry registry, String result, ToDoubleFunction<StoreBackupJob> value) {
        FunctionCounter.builder("store.backups", job, value)
                .description("Backups")
                .tag("result", result)
                .register(registry);
    }

    private static double age(Instant time) {
        return Duration.between(time, Instant.now()).toMillis() / 1e3;
    }

    private interface Reading {
        double of(StoreBackupJob.Backup backup) throws IOException;
    }

    private static ToDoubleFunction<StoreBackupJob> of(Reading reading) {
        return job -> {
            try {
                StoreBackupJob.Backup last = job.last().orElse(null);
                return last == null ? Double.NaN : reading.of(last);
            } catch (IOException | UncheckedIOException e) {
                log.debug("The newest backup cannot be measured", e);
                return Double.NaN;
            }
        };
    }
}
