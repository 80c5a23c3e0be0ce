package dev.ttlstore.spring.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.TaskScheduler;

import dev.ttlstore.Store;
import dev.ttlstore.exception.StorePathException;
import dev.ttlstore.spring.StoreRunner;
import dev.ttlstore.spring.backup.StoreBackupJob.Backup;
import dev.ttlstore.spring.metrics.StoreMetricsAutoConfiguration;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
class StoreBackupAutoConfigurationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private ApplicationContextRunner runner() {
        return StoreRunner.at(folder)
                .withConfiguration(
                        AutoConfigurations.of(StoreBackupAutoConfiguration.class, StoreMetricsAutoConfiguration.class));
    }

    private ApplicationContextRunner enabled(String... properties) {
        return runner().withPropertyValues("store.backup.enabled=true", "store.backup.folder=" + backups())
                .withPropertyValues(properties);
    }

    private Path backups() {
        return folder.resolve("backups");
    }

    private static StoreBackupJob job(ApplicationContext context) {
        return context.getBean(StoreBackupJob.class);
    }

    private static Store store(ApplicationContext context) {
        return context.getBean(Store.class);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(backups())) {
            return files.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private static Health health(ApplicationContext context) {
        return requireNonNull(
                context.getBean("storeHealthContributor", HealthIndicator.class).health(true));
    }

    @Test
    void thereAreNoneByDefault() {
        runner().run(context -> {
            assertThat(context).doesNotHaveBean(StoreBackupJob.class).doesNotHaveBean(BackupSchedule.class);
            assertThat(health(context).getDetails()).doesNotContainKey("lastBackup");
        });
    }

    @Test
    void theFirstBackupIsMadeSoonAndNoSchedulerIsPublished(CapturedOutput output) {
        enabled("store.backup.interval=500ms", "store.backup.keep=2").run(context -> {
            store(context).group("group").put("key", "value");
            await().atMost(PATIENCE).until(() -> job(context).successes() >= 4);
            assertThat(job(context).backups()).hasSizeBetween(2, 3);
            assertThat(context).doesNotHaveBean(TaskScheduler.class);
        });
        assertThat(output).contains("Backup of ");
        runner().withPropertyValues("store.path=" + newest())
                .run(context ->
                        assertThat(store(context).group("group").get("key")).contains("value"));
    }

    private Path newest() {
        try {
            List<String> files = files();
            return backups().resolve(files.get(files.size() - 1));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theIntervalCountsOverRestarts() {
        enabled("store.backup.interval=1h").run(context -> {
            assertThat(job(context).last()).isEmpty();
            job(context).runIfDue();
            assertThat(job(context).successes()).isEqualTo(1);
        });
        enabled("store.backup.interval=1h").run(context -> {
            job(context).runIfDue();
            assertThat(job(context).successes()).isZero();
            Backup last = job(context).last().orElseThrow();
            Files.move(last.path(), last.path().resolveSibling("store.db.20200101T000000000Z.backup"));
            job(context).runIfDue();
            assertThat(job(context).successes()).isEqualTo(1);
        });
    }

    /** Names without a time, and those of other stores, are somebody else's. */
    @Test
    void theOldestOnesOfTheStoreAreDeletedAndNothingElse() {
        enabled("store.backup.interval=-", "store.backup.keep=2").run(context -> {
            Files.createDirectories(backups());
            for (String other : List.of(
                    "other.db.20200101T000000000Z.backup",
                    "store.db.before-release.backup",
                    "store.db.20200101T000000000Z.backup",
                    "store.db.20200102T000000000Z.backup",
                    "store.db.20200103T000000000Z.backup.00000000-0000-0000-0000-000000000000.partial",
                    "store.db.20200104T000000000Z.backup.2.partial")) {
                Files.writeString(backups().resolve(other), "x");
            }
            Files.setLastModifiedTime(
                    backups()
                            .resolve(
                                    "store.db.20200103T000000000Z.backup.00000000-0000-0000-0000-000000000000.partial"),
                    FileTime.from(Instant.now().minus(Duration.ofDays(2))));
            job(context).runIfDue();
            assertThat(job(context).successes()).isZero();
            Path made = job(context).run().path();
            assertThat(files())
                    .containsExactlyInAnyOrder(
                            "other.db.20200101T000000000Z.backup",
                            "store.db.before-release.backup",
                            "store.db.20200102T000000000Z.backup",
                            "store.db.20200104T000000000Z.backup.2.partial",
                            made.getFileName().toString());
        });
    }

    @Test
    void aBackupThatAWrongClockHasNamedAYearAheadCostsNoGoodOneAndIsDeletedInItsTurn() {
        enabled("store.backup.interval=1h", "store.backup.keep=2").run(context -> {
            StoreBackupJob job = job(context);
            store(context).group("group").put("key", "first");
            Path first = job.run().path();
            Path ahead = Files.move(first, first.resolveSibling("store.db.20990101T000000000Z.backup"));
            assertThat(job.last()).isEmpty();
            job.runIfDue();
            job.runIfDue();
            assertThat(job.successes()).isEqualTo(2);
            Path second = job.last().orElseThrow().path();
            assertThat(job.overdueBy()).isZero();
            store(context).group("group").put("key", "third");
            Path third = job.run().path();
            assertThat(ahead).doesNotExist();
            assertThat(second).exists();
            assertThat(third).exists();
        });
    }

    @Test
    void healthAndMetricsShowTheLastOne() {
        enabled("store.backup.interval=1h").withBean(SimpleMeterRegistry.class).run(context -> {
            SimpleMeterRegistry meters = context.getBean(SimpleMeterRegistry.class);
            context.getBeansOfType(io.micrometer.core.instrument.binder.MeterBinder.class)
                    .values()
                    .forEach(binder -> binder.bindTo(meters));
            assertThat(health(context).getDetails()).containsEntry("lastBackup", "none");
            assertThat(meters.get("store.backup.age").timeGauge().value()).isNaN();
            Instant before = Instant.now();
            long bytes = job(context).run().bytes();
            assertThat(Instant.parse((String) health(context).getDetails().get("lastBackup")))
                    .isBetween(before.minusMillis(1), Instant.now());
            assertThat(meters.get("store.backup.size").gauge().value()).isEqualTo((double) bytes);
            assertThat(meters.get("store.backup.age").timeGauge().value()).isBetween(0.0, 60.0);
            assertThat(meters.get("store.backups")
                            .tag("result", "success")
                            .functionCounter()
                            .count())
                    .isEqualTo(1);
        });
    }

    @Test
    void aFailureIsShownAndTheNextAttemptWaits(CapturedOutput output) throws IOException {
        Files.writeString(backups(), "not a folder");
        enabled("store.backup.interval=1h").run(context -> {
            job(context).runIfDue();
            job(context).runIfDue();
            assertThat(job(context).failures()).isEqualTo(1);
            assertThat(output).containsOnlyOnce("The backup has failed; the next attempt follows in PT10M");
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            assertThat((String) health(context).getDetails().get("backupFailure"))
                    .contains(backups().toString());
            assertThatExceptionOfType(StorePathException.class).isThrownBy(job(context)::run);
            Files.delete(backups());
            job(context).run();
            assertThat(health(context).getDetails()).doesNotContainKey("backupFailure");
        });
    }

    @Test
    void aLateBackupIsShown() {
        enabled("store.backup.interval=1h").run(context -> {
            Files.createDirectories(backups());
            Files.writeString(backups().resolve("store.db.20200101T000000000Z.backup"), "x");
            assertThat(Duration.parse(
                            (String) requireNonNull(health(context).getDetails().get("backupOverdueBy"))))
                    .isGreaterThan(Duration.ofDays(1_000));
        });
    }

    @Test
    void aMissingFileIsRestored(CapturedOutput output) throws IOException {
        enabled("store.backup.restore=true").run(context -> {
            store(context).group("group").put("key", "value");
            job(context).run();
            store(context).group("group").put("key", "later");
        });
        enabled("store.backup.restore=true").run(context -> {
            assertThat(store(context).group("group").get("key")).contains("later");
            assertThat(output).doesNotContain("was restored from");
        });
        Files.delete(folder.resolve("store.db"));
        enabled("store.backup.restore=true").run(context -> {
            assertThat(store(context).group("group").get("key")).contains("value");
            assertThat(output).contains("was restored from the backup");
        });
    }

    @Test
    void withoutThePropertyNothingIsRestored() throws IOException {
        enabled().run(context -> {
            store(context).group("group").put("key", "value");
            job(context).run();
        });
        Files.delete(folder.resolve("store.db"));
        enabled().run(context -> assertThat(store(context).group("group").get("key"))
                .isEmpty());
    }

    @Test
    void aStoreInMemoryHasNone(CapturedOutput output) {
        enabled().withBean(Store.class, Store::inMemory).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBeanProvider(StoreBackupJob.class).getIfAvailable())
                    .isNull();
        });
        assertThat(output).contains("There are no backups, because the store is not in a file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"store.backup.keep=0", "store.backup.interval=-1h", "store.backup.interval=5"})
    void aSettingThatCannotBeIsRefused(String property) {
        enabled(property).run(context -> assertThat(context.getStartupFailure())
                .hasStackTraceContaining(property.substring(0, property.indexOf('='))));
    }

    @Test
    void settingsOfBackupsThatAreOffAreReported(CapturedOutput output) {
        runner().withPropertyValues("store.backup.folder=" + backups()).run(context -> assertThat(output)
                .contains("store.backup.folder")
                .contains("have no effect, because 'store.backup.enabled' is not true"));
    }

    @Test
    void theJobChecksItsArguments() {
        try (Store memory = Store.inMemory();
                Store store = Store.open(folder.resolve("store.db"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new StoreBackupJob(memory, folder, Duration.ZERO, 1, Instant::now))
                    .withMessageContaining("'store'");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new StoreBackupJob(store, folder, Duration.ofSeconds(-1), 1, Instant::now))
                    .withMessageContaining("'interval'");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new StoreBackupJob(store, folder, Duration.ZERO, 0, Instant::now))
                    .withMessageContaining("'keep'");
        }
    }
}
