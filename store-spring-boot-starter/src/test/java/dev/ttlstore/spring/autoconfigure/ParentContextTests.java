package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskHolder;

import dev.ttlstore.Store;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.purge.StorePurgeJob;

import io.micrometer.core.instrument.MeterRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Contexts that have parents, with the starter in one or in both. */
@Tag("variant")
class ParentContextTests {

    @TempDir
    private Path folder;

    private ApplicationContextRunner runner() {
        return StarterRunner.at(folder).withBean(Told.class);
    }

    @Test
    void thePurgeRunsWhereSchedulingIsEnabledAboveOnly() {
        try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext(Scheduling.class)) {
            runner().withParent(parent)
                    .withPropertyValues("store.purge-interval=20ms")
                    .run(context -> {
                        Store store = context.getBean(Store.class);
                        await().until(() -> store.activity().purges() > 1);
                    });
        }
    }

    @Test
    void listenersOfEachContextAreToldOnce() {
        runner().run(parent -> runner().withParent(parent).run(child -> {
            Store store = child.getBean(Store.class);
            assertThat(store).isSameAs(parent.getBean(Store.class));
            store.group("group").put("key", "value");
            assertThat(child.getBean(Told.class).keys).containsExactly("key");
            assertThat(parent.getBean(Told.class).keys).containsExactly("key");
        }));
    }

    @Test
    void theStoreOfAContextAboveIsPurgedAndMeasuredThere() {
        runner().run(parent -> runner().withParent(parent).run(child -> {
            assertThat(child.getBeansOfType(StorePurgeJob.class)).isEmpty();
            Set<ScheduledTask> tasks = child.getBean("ttlStorePurgeSchedule", ScheduledTaskHolder.class)
                    .getScheduledTasks();
            assertThat(tasks).isEmpty();
            child.getBean(Store.class).group("group").put("key", "value");
            assertThat(parent.getBean(MeterRegistry.class)
                            .get("store.writes")
                            .timer()
                            .count())
                    .as("not measured twice")
                    .isOne();
        }));
    }

    static final class Told {

        private final List<String> keys = new CopyOnWriteArrayList<>();

        @EventListener
        void onPut(EntryPut event) {
            keys.add(event.key());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}
}
