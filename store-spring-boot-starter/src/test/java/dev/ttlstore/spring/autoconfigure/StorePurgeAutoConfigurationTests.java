package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskHolder;

import dev.ttlstore.Store;
import dev.ttlstore.spring.purge.StorePurgeJob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class StorePurgeAutoConfigurationTests {

    @TempDir
    private Path folder;

    @Test
    void thePurgeRunsOnBootsSchedulerEveryMinute() {
        StoreRunner.at(folder).run(context -> {
            assertThat(context).hasSingleBean(StorePurgeJob.class).hasSingleBean(ThreadPoolTaskScheduler.class);
            assertThat(delays(context)).containsExactly(Duration.ofSeconds(60));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"5s", "PT5S", "5000"})
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
        Set<ScheduledTask> tasks = context.getBean(ScheduledTaskHolder.class).getScheduledTasks();
        return tasks.stream()
                .map(task -> ((FixedDelayTask) task.getTask()).getIntervalDuration())
                .toList();
    }

    private static String messages(Throwable failure) {
        StringBuilder messages = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            messages.append(cause.getMessage()).append('\n');
        }
        return messages.toString();
    }
}
