package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.TaskScheduler;
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

    private final ConfigurableListableBeanFactory beans;
    private final Duration interval;
    private volatile @Nullable Running running;

    PurgeSchedule(ConfigurableListableBeanFactory beans, Duration interval) {
        this.beans = beans;
        this.interval = interval;
    }

    /**
     * What runs.
     *
     * @param shown the tasks that are purges, and not the watching of those that Spring runs
     */
    private record Running(ThreadPoolTaskScheduler scheduler, List<ScheduledTask> tasks, Set<ScheduledTask> shown) {}

    @Override
    public void start() {
        // Not by its provider, which would find the job of a context above: that one is scheduled there.
        Collection<StorePurgeJob> jobs =
                beans.getBeansOfType(StorePurgeJob.class).values();
        if (jobs.isEmpty()) {
            return;
        }
        boolean springs = beans.containsLocalBean(TaskManagementConfigUtils.SCHEDULED_ANNOTATION_PROCESSOR_BEAN_NAME);
        ThreadPoolTaskScheduler scheduler = scheduler(jobs.size());
        List<ScheduledTask> tasks = jobs.stream()
                .map(job -> springs
                        ? schedule(new LatePurge(job, interval), interval, scheduler)
                        : schedule(purgeOf(job), Duration.ZERO, scheduler))
                .toList();
        running = new Running(scheduler, tasks, springs ? Set.of() : Set.copyOf(tasks));
    }

    private static ThreadPoolTaskScheduler scheduler(int threads) {
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        scheduler.setPoolSize(threads);
        scheduler.setThreadNamePrefix("store-purge-");
        scheduler.setDaemon(true);
        scheduler.initialize();
        return scheduler;
    }

    private ScheduledTask schedule(Runnable work, Duration initialDelay, TaskScheduler scheduler) {
        ScheduledTaskRegistrar registrar = new ScheduledTaskRegistrar();
        registrar.setTaskScheduler(scheduler);
        return Objects.requireNonNull(
                registrar.scheduleFixedDelayTask(new FixedDelayTask(work, interval, initialDelay)));
    }

    /** By its method it is shown in the endpoint of scheduled tasks. */
    private static Runnable purgeOf(StorePurgeJob job) {
        try {
            return new ScheduledMethodRunnable(job, "purge");
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Calls back when the purges that run, if some do, have come to their end. */
    @Override
    public void stop(Runnable callback) {
        Running ending = running;
        running = null;
        if (ending == null) {
            callback.run();
            return;
        }
        ending.tasks().forEach(task -> task.cancel(false));
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
        return current == null ? Set.of() : current.shown();
    }
}
