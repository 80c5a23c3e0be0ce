package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.scheduling.config.TaskManagementConfigUtils;
import org.springframework.scheduling.support.ScheduledMethodRunnable;

import dev.ttlstore.spring.purge.StorePurgeJob;

/**
 * Schedules the purge job as Spring would by its annotation, in an application that has not enabled scheduling. To enable it
 * for the application would start jobs that are meant to rest, have each bean searched for some, which takes a good part of
 * what the starter costs at the start, and keep an application without a web server running.
 *
 * <p>Where the application has enabled scheduling in this very context the job is Spring's to run. It is watched then: Boot's
 * scheduler has one thread, and a long job on it would keep the purge waiting, so a purge that is late is run here.
 */
final class PurgeSchedule implements SmartLifecycle, ScheduledTaskHolder {

    private static final Logger log = LoggerFactory.getLogger(PurgeSchedule.class);

    /** A purge is late when it has not run for so many intervals. */
    private static final int LATE = 2;

    private final ConfigurableListableBeanFactory beans;
    private final Duration interval;
    private volatile @Nullable Running running;

    PurgeSchedule(ConfigurableListableBeanFactory beans, Duration interval) {
        this.beans = beans;
        this.interval = interval;
    }

    private record Running(ThreadPoolTaskScheduler scheduler, ScheduledTask task, boolean shown) {}

    @Override
    public void start() {
        // Not by its provider, which would find the job of a context above: that one is scheduled there.
        beans.getBeansOfType(StorePurgeJob.class).values().forEach(job -> {
            boolean springs =
                    beans.containsLocalBean(TaskManagementConfigUtils.SCHEDULED_ANNOTATION_PROCESSOR_BEAN_NAME);
            running = springs
                    ? schedule(() -> purgeIfLate(job), interval, false)
                    : schedule(purgeOf(job), Duration.ZERO, true);
        });
    }

    private Running schedule(Runnable work, Duration initialDelay, boolean shown) {
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        scheduler.setThreadNamePrefix("store-purge-");
        scheduler.setDaemon(true);
        scheduler.initialize();
        ScheduledTaskRegistrar registrar = new ScheduledTaskRegistrar();
        registrar.setTaskScheduler(scheduler);
        ScheduledTask task = registrar.scheduleFixedDelayTask(new FixedDelayTask(work, interval, initialDelay));
        return new Running(scheduler, Objects.requireNonNull(task), shown);
    }

    private void purgeIfLate(StorePurgeJob job) {
        Duration late = job.sinceLastRun();
        if (late.compareTo(interval.multipliedBy(LATE)) > 0) {
            log.warn(
                    "The application's scheduler has not run the purge for {}, its threads being busy or too few; it runs on"
                            + " a thread of its own now. More threads: 'spring.task.scheduling.pool.size'",
                    late);
            job.purge();
        }
    }

    /** By its method it is shown in the endpoint of scheduled tasks. */
    private static Runnable purgeOf(StorePurgeJob job) {
        try {
            return new ScheduledMethodRunnable(job, "purge");
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Calls back when the purge that runs, if one does, has come to its end. */
    @Override
    public void stop(Runnable callback) {
        Running ending = running;
        running = null;
        if (ending == null) {
            callback.run();
            return;
        }
        ending.task().cancel(false);
        ending.scheduler().stop(() -> {
            ending.scheduler().shutdown();
            callback.run();
        });
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }

    @Override
    public Set<ScheduledTask> getScheduledTasks() {
        Running current = running;
        return current == null || !current.shown() ? Set.of() : Set.of(current.task());
    }
}
