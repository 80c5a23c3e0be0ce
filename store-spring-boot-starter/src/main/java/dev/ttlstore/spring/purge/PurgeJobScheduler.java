package dev.ttlstore.spring.purge;

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

import dev.ttlstore.spring.scheduling.LastingTaskScheduler;

/**
 * Schedules the purge job in an application that has not enabled scheduling. Enabling it for the application would
 * start jobs that are meant to be off. Spring would search each bean for jobs, which takes a large part of the
 * starter's start-up time. An application without a web server would keep running.
 *
 * <p>If the application has enabled scheduling in this context, Spring runs the job, and this class only checks that
 * it runs. Boot's scheduler has one thread, so a long job delays the purge. A late purge runs here.
 */
final class PurgeJobScheduler implements SmartLifecycle, ScheduledTaskHolder {

    private final ConfigurableListableBeanFactory beans;
    private final Duration interval;
    private volatile @Nullable Running running;

    PurgeJobScheduler(ConfigurableListableBeanFactory beans, Duration interval) {
        this.beans = beans;
        this.interval = interval;
    }

    /**
     * The state while the schedule runs.
     *
     * @param shown the tasks that are purges, without the checks of those that Spring runs
     */
    private record Running(ThreadPoolTaskScheduler scheduler, List<ScheduledTask> tasks, Set<ScheduledTask> shown) {}

    @Override
    public void start() {
        // Not by an ObjectProvider, which would also find the job of a parent context. That one is scheduled there.
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
        ThreadPoolTaskScheduler scheduler = new LastingTaskScheduler("store-purge-");
        scheduler.setPoolSize(threads);
        scheduler.initialize();
        return scheduler;
    }

    private ScheduledTask schedule(Runnable work, Duration initialDelay, TaskScheduler scheduler) {
        ScheduledTaskRegistrar registrar = new ScheduledTaskRegistrar();
        registrar.setTaskScheduler(scheduler);
        return Objects.requireNonNull(
                registrar.scheduleFixedDelayTask(new FixedDelayTask(work, interval, initialDelay)));
    }

    /** Returns the purge as a method reference, which the endpoint of scheduled tasks can show. */
    private static Runnable purgeOf(StorePurgeJob job) {
        try {
            return new ScheduledMethodRunnable(job, "purge");
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stops the schedule, and calls back when running purges have finished. */
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
