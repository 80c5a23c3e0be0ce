package dev.ttlstore.spring.purge;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskHolder;

import dev.ttlstore.Store;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.spring.StoreRunner;
import dev.ttlstore.spring.StoreSteps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
class StorePurgeAutoConfigurationTests {

    @TempDir
    private Path folder;

    @Test
    void thePurgeRunsEveryMinute() {
        StoreRunner.at(folder).run(context -> {
            assertThat(context).hasSingleBean(StorePurgeJob.class);
            assertThat(delays(context)).containsExactly(Duration.ofSeconds(60));
        });
    }

    @Test
    void itRunsOnADaemonThreadOfItsOwnAndLeavesSchedulingOff() {
        List<Thread> purging = new CopyOnWriteArrayList<>();
        StoreRunner.at(folder)
                .withBean(Store.class, () -> purgedIn(purging))
                .withUserConfiguration(Jobs.class)
                .run(context -> {
                    await().until(() -> !purging.isEmpty());
                    assertThat(purging).allMatch(Thread::isDaemon);
                    assertThat(context).doesNotHaveBean(TaskScheduler.class);
                    assertThat(context.getBean(Jobs.class).runs).hasValue(0);
                });
    }

    @Test
    void whereSchedulingIsEnabledTheJobRunsOnceOnBootsScheduler() {
        List<Thread> purging = new CopyOnWriteArrayList<>();
        StoreRunner.at(folder)
                .withBean(Store.class, () -> purgedIn(purging))
                .withUserConfiguration(Jobs.class, Scheduling.class)
                .withPropertyValues("spring.task.scheduling.thread-name-prefix=jobs-")
                .run(context -> {
                    await().until(() -> !purging.isEmpty());
                    assertThat(purging).allMatch(thread -> thread.getName().startsWith("jobs-"));
                    assertThat(purgeTasks(context)).hasSize(1);
                    await().until(() -> context.getBean(Jobs.class).runs.get() > 0);
                });
    }

    /** As an auto-configuration of somebody else's may do it, after this one. */
    @Test
    void whereSchedulingIsEnabledLaterTheJobIsScheduledOnceAllTheSame() {
        StoreRunner.at(folder)
                .withConfiguration(AutoConfigurations.of(LaterScheduling.class))
                .run(context -> assertThat(purgeTasks(context)).hasSize(1));
    }

    @Test
    void itStopsAndStartsAgainWithTheContext() {
        List<Thread> purging = new CopyOnWriteArrayList<>();
        StoreRunner.at(folder)
                .withBean(Store.class, () -> purgedIn(purging))
                .withPropertyValues("store.purge-interval=5ms")
                .run(context -> {
                    await().until(() -> purging.size() > 2);
                    context.stop();
                    assertThat(purgeTasks(context)).isEmpty();
                    purging.clear();
                    context.start();
                    await().until(() -> purging.size() > 2);
                });
    }

    @Test
    void itDeletesWhatHasReachedTheMaximumAgeOfItsGroup() {
        StoreRunner.at(folder)
                .withPropertyValues("store.purge-interval=5ms", "store.groups.sessions.max-age=1ms")
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    store.group("other").put("key", "value");
                    store.group("sessions").put("key", "value");
                    await().until(() -> store.group("sessions").count() == 0);
                    assertThat(store.group("other").count()).isEqualTo(1);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"5s", "PT5S", "5000ms"})
    void theIntervalIsThatOfTheProperty(String interval) {
        StoreRunner.at(folder)
                .withPropertyValues("store.purge-interval=" + interval)
                .run(context -> assertThat(delays(context)).containsExactly(Duration.ofSeconds(5)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"store.purge.enabled=false", "store.purge-interval=-", "store.purge-interval=0s"})
    void thePurgeCanBeSwitchedOff(String property) {
        StoreRunner.at(folder).withPropertyValues(property).run(context -> assertThat(context)
                .hasNotFailed()
                .hasSingleBean(Store.class)
                .doesNotHaveBean(StorePurgeJob.class)
                .doesNotHaveBean(ScheduledTaskHolder.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "-5s"})
    void anIntervalThatIsNoneIsRefusedByTheNameOfItsProperty(String interval) {
        StoreRunner.at(folder)
                .withPropertyValues("store.purge-interval=" + interval)
                .run(context -> assertThat(context).getFailure().satisfies(failure -> assertThat(messages(failure))
                        .contains("store.purge-interval")));
    }

    @Test
    void whatHasExpiredLeavesTheFile() {
        StoreRunner.at(folder).withPropertyValues("store.purge-interval=20ms").run(context -> {
            Store store = context.getBean(Store.class);
            store.group("config").put("banner", "hello", Duration.ofMillis(1));
            await().until(() -> store.count() == 0 && store.stats().expired() == 0);
        });
    }

    @Test
    void thePurgeRunsUnderLazyInitialization() {
        StoreRunner.at(folder)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(delays(context)).containsExactly(Duration.ofSeconds(60)));
    }

    @Test
    void theUsersOwnStoreIsPurgedToo() {
        StoreRunner.at(folder).withBean(Store.class, Store::inMemory).run(context -> assertThat(delays(context))
                .containsExactly(Duration.ofSeconds(60)));
    }

    private static List<Duration> delays(ApplicationContext context) {
        return purgeTasks(context).stream()
                .map(task -> ((FixedDelayTask) task.getTask()).getIntervalDuration())
                .toList();
    }

    private static List<ScheduledTask> purgeTasks(ApplicationContext context) {
        return context.getBeansOfType(ScheduledTaskHolder.class).values().stream()
                .flatMap(holder -> holder.getScheduledTasks().stream())
                .filter(task -> task.toString().contains(StorePurgeJob.class.getName()))
                .toList();
    }

    private static Store purgedIn(List<Thread> threads) {
        return StoreSteps.before(Store.inMemory(), "purgeExpired", () -> threads.add(Thread.currentThread()));
    }

    private ApplicationContextRunner besideALongJob(CountDownLatch begun, CountDownLatch end, List<Thread> purging) {
        return StoreRunner.at(folder)
                .withUserConfiguration(Scheduling.class)
                .withBean(LongJob.class, () -> new LongJob(begun, end))
                .withBean(Store.class, () -> purgedIn(purging))
                .withPropertyValues("store.purge-interval=20ms");
    }

    @Test
    void aPurgeThatALongJobKeepsWaitingRunsOnAThreadOfItsOwn(CapturedOutput output) {
        List<Thread> purging = new CopyOnWriteArrayList<>();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        besideALongJob(begun, end, purging).run(context -> {
            await().until(() ->
                    purging.stream().anyMatch(thread -> thread.getName().startsWith("store-purge-")));
            assertThat(output).contains("'spring.task.scheduling.pool.size'");
            assertThat(delays(context)).as("as the endpoint shows it").hasSize(1);
            end.countDown();
        });
    }

    @Test
    void thatTheSchedulerIsLateIsSaidWhenItBeginsAndWhenItIsOver(CapturedOutput output) {
        List<Thread> purging = new CopyOnWriteArrayList<>();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        besideALongJob(begun, end, purging).run(context -> {
            begun.await();
            purging.clear();
            await().until(() -> purging.size() > 2);
            long warnings = lines(output, "has not run the purge for");
            assertThat(warnings).isPositive();
            purging.clear();
            await().until(() -> purging.size() > 5);
            assertThat(lines(output, "has not run the purge for")).isEqualTo(warnings);
            long ends = lines(output, "runs the purge on time again");
            end.countDown();
            await().until(() -> lines(output, "runs the purge on time again") == ends + 1);
        });
    }

    private static long lines(CapturedOutput output, String text) {
        return output.getOut().lines().filter(line -> line.contains(text)).count();
    }

    /** As an application declares them that purges its stores apart. */
    @Test
    void severalJobsAllRunAndEndWithTheContext() {
        List<Thread> first = new CopyOnWriteArrayList<>();
        List<Thread> second = new CopyOnWriteArrayList<>();
        StoreRunner.at(folder)
                .withBean("first", StorePurgeJob.class, () -> new StorePurgeJob(List.of(purgedIn(first))))
                .withBean("second", StorePurgeJob.class, () -> new StorePurgeJob(List.of(purgedIn(second))))
                .withPropertyValues("store.purge-interval=5ms")
                .run(context -> {
                    await().until(() -> first.size() > 2 && second.size() > 2);
                    assertThat(purgeTasks(context)).hasSize(2);
                    context.stop();
                    assertThat(first).allMatch(thread -> hasEnded(thread));
                    assertThat(second).allMatch(thread -> hasEnded(thread));
                    context.start();
                    assertThat(purgeTasks(context)).hasSize(2);
                });
        assertThat(second).allMatch(thread -> hasEnded(thread));
    }

    /** Each purge has noted its thread, so there are many, and few that are waited for. */
    private static boolean hasEnded(Thread thread) {
        try {
            thread.join(20_000);
            return !thread.isAlive();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An error would end the job for good on some schedulers. */
    @Test
    void anErrorOfOneStoreDoesNotKeepOthersFromThePurgeAndDoesNotReachTheScheduler() {
        Store failing = StoreSteps.before(Store.inMemory(), "purgeExpired", () -> {
            throw new StackOverflowError();
        });
        Store other = Store.builder().inMemory().purgeInterval(Duration.ZERO).open();
        StorePurgeJob job = new StorePurgeJob(List.of(failing, other));
        job.purge();
        assertThat(other.activity().purges()).isOne();
        failing.close();
        other.close();
    }

    @Test
    void aStoreThatCannotBePurgedForAWhileIsSaidInOneLineAndDoesNotKeepOthersFromIt(CapturedOutput output) {
        AtomicBoolean away = new AtomicBoolean(true);
        Store failing = StoreSteps.before(Store.inMemory(), "purgeExpired", () -> {
            if (away.get()) {
                throw new StoreException("The database is away", "Wait", null);
            }
        });
        Store other = Store.builder().inMemory().purgeInterval(Duration.ZERO).open();
        StorePurgeJob job = new StorePurgeJob(List.of(failing, other));
        job.purge();
        job.purge();
        assertThat(other.activity().purges()).isEqualTo(2);
        assertThat(output)
                .containsOnlyOnce("it is retried at the next interval: The database is away")
                .doesNotContain("ERROR", "\tat ");
        away.set(false);
        job.purge();
        assertThat(output).contains("The purge of a store works again");
        failing.close();
        other.close();
    }

    /** A job that takes its time. */
    record LongJob(CountDownLatch begun, CountDownLatch end) {

        @Scheduled(fixedDelay = 5)
        void run() throws InterruptedException {
            begun.countDown();
            end.await();
        }
    }

    /** A job of the application. */
    static final class Jobs {

        private final AtomicInteger runs = new AtomicInteger();

        @Scheduled(fixedDelay = 5)
        void run() {
            runs.incrementAndGet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    @AutoConfiguration(after = StorePurgeAutoConfiguration.class)
    @EnableScheduling
    static class LaterScheduling {}

    private static String messages(Throwable failure) {
        StringBuilder messages = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            messages.append(cause.getMessage()).append('\n');
        }
        return messages.toString();
    }
}
