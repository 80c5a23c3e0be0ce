package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
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
 */
final class PurgeSchedule implements SmartLifecycle, ScheduledTaskHolder {

    private final ListableBeanFactory beans;
    private final Duration interval;
    private volatile @Nullable Running running;

    PurgeSchedule(ListableBeanFactory beans, Duration interval) {
        this.beans = beans;
        this.interval = interval;
    }

    private record Running(ThreadPoolTaskScheduler scheduler, ScheduledTask task) {}

    @Override
    public void start() {
        if (!beans.containsBean(TaskManagementConfigUtils.SCHEDULED_ANNOTATION_PROCESSOR_BEAN_NAME)) {
            beans.getBeanProvider(StorePurgeJob.class).ifAvailable(this::schedule);
        }
    }

    private void schedule(StorePurgeJob job) {
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        scheduler.setThreadNamePrefix("store-purge-");
        scheduler.setDaemon(true);
        scheduler.initialize();
        ScheduledTaskRegistrar registrar = new ScheduledTaskRegistrar();
        registrar.setTaskScheduler(scheduler);
        ScheduledTask task =
                registrar.scheduleFixedDelayTask(new FixedDelayTask(purgeOf(job), interval, Duration.ZERO));
        running = new Running(scheduler, Objects.requireNonNull(task));
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
        return current == null ? Set.of() : Set.of(current.task());
    }
}
