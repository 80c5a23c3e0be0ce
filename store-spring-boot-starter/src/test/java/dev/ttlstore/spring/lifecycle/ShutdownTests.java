package dev.ttlstore.spring.lifecycle;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.GenericApplicationContext;

import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.event.Watch;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.StoreSteps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What happens to those who write while the application stops. */
@ExtendWith(OutputCaptureExtension.class)
class ShutdownTests {

    private static final int WRITERS = 4;

    @TempDir
    private Path folder;

    @Test
    void aWriteEitherIsInTheFileOrHasThrownThatTheStoreIsClosed() throws Exception {
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        ExecutorService threads = Executors.newCachedThreadPool(); // which no context knows of, nor waits for
        List<Future<?>> writers = new CopyOnWriteArrayList<>();
        StarterRunner.at(folder).run(context -> {
            Group<String> group = context.getBean(Store.class).group("texts");
            IntStream.range(0, WRITERS)
                    .mapToObj(writer -> threads.submit(() -> writeUntilClosed(group, "plain-" + writer, acknowledged)))
                    .forEach(writers::add);
            writers.add(threads.submit(() -> writeAsyncUntilClosed(group, acknowledged)));
            await().until(() -> acknowledged.size() > 1_000);
        });
        for (Future<?> writer : writers) {
            writer.get(); // throws what is no StoreClosedException
        }
        threads.shutdown();
        assertThat(keys()).containsAll(acknowledged);
    }

    /** Of a pool, that is: for tasks in virtual threads Spring does not wait by itself. */
    @Test
    void aTaskOfTheApplicationsExecutorFinishesItsWrites() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        CompletableFuture<String> end = new CompletableFuture<>();
        StarterRunner.at(folder)
                .withBean(ClosingListener.class, () -> event -> closing.countDown())
                .run(context -> {
                    Group<String> group = context.getBean(Store.class).group("texts");
                    context.getBean("applicationTaskExecutor", Executor.class).execute(() -> {
                        begun.countDown();
                        end.completeAsync(() -> writeWhenClosing(group, closing), Runnable::run);
                    });
                    begun.await();
                });
        assertThat(end).isCompletedWithValue("written");
        assertThat(keys()).containsExactly("late");
    }

    /** With its own store, whose purge takes as long as the test wants. */
    @ParameterizedTest
    @ValueSource(strings = {"spring.threads.virtual.enabled=false", "spring.threads.virtual.enabled=true"})
    void aPurgeThatRunsComesToItsEndBeforeTheStoreIsClosed(String threads, CapturedOutput output) {
        List<String> told = new CopyOnWriteArrayList<>();
        CountDownLatch purging = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        StarterRunner.at(folder)
                .withPropertyValues(threads)
                .withBean(Store.class, () -> slowlyPurging(purging, closing, told))
                .withBean(ClosingListener.class, () -> event -> closing.countDown())
                .run(context -> purging.await());
        assertThat(told).containsExactly("purged", "closed");
        assertThat(output).doesNotContain("ERROR");
    }

    /** As long as a request reads a watch, the web server waits for it before it stops. */
    @Test
    void watchesEndWhenTheContextBeginsToCloseAndTheStoreGoesOnMeanwhile() {
        List<String> told = new CopyOnWriteArrayList<>();
        StarterRunner.at(folder)
                .withBean(StoppedFirst.class, () -> new StoppedFirst(told))
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    context.getBean(StoppedFirst.class).watch(store);
                });
        assertThat(told).containsExactly("old watch closed: true", "new watch closed: true", "written: true");
    }

    @Test
    void watchesGoOnWhenAChildContextCloses() {
        StarterRunner.at(folder).run(context -> {
            Watch watch = context.getBean(Store.class).watch();
            try (GenericApplicationContext child = new GenericApplicationContext(context)) {
                child.refresh();
            }
            assertThat(watch.isClosed()).isFalse();
        });
    }

    /** Spring Boot closes the child when its parent begins to close, and its web server waits for requests then. */
    @Test
    void watchesEndBeforeAChildContextClosesBecauseItsParentDoes() {
        List<String> told = new CopyOnWriteArrayList<>();
        ConfigurableApplicationContext child = new SpringApplicationBuilder(Parent.class)
                .web(WebApplicationType.NONE)
                .properties("store.path=" + folder.resolve("store.db"))
                .child(Child.class)
                .web(WebApplicationType.NONE)
                .initializers(
                        context -> context.addBeanFactoryPostProcessor(beans -> beans.registerSingleton("told", told)))
                .run();
        child.getBean(StoppedFirst.class).watch(child.getBean(Store.class));
        ((ConfigurableApplicationContext) Objects.requireNonNull(child.getParent())).close();
        assertThat(told).containsExactly("old watch closed: true", "new watch closed: true", "written: true");
    }

    @Test
    void watchesOfAChildContextCanEndBeforeItsWebServerWaitsAndThoseOfItsParentGoOn() {
        List<String> told = new CopyOnWriteArrayList<>();
        StarterRunner.at(folder).run(parent -> {
            Store store = parent.getBean(Store.class);
            Watch ofParent = store.watch();
            LiveWatches live;
            try (GenericApplicationContext child = new GenericApplicationContext(parent)) {
                child.registerBean(LiveWatches.class);
                child.registerBean(WebServerPhase.class, () -> new WebServerPhase(told));
                child.refresh();
                live = child.getBean(LiveWatches.class);
                child.getBean(WebServerPhase.class).watch = Optional.of(live.untilStop(store.watch()));
            }
            assertThat(told).containsExactly("watch closed: true");
            assertThat(live.untilStop(store.watch()).isClosed()).isTrue();
            assertThat(ofParent.isClosed()).isFalse();
        });
    }

    private static void writeUntilClosed(Group<String> group, String writer, Set<String> acknowledged) {
        try {
            for (int i = 0; ; i++) {
                group.put(writer + "-" + i, "text");
                acknowledged.add(writer + "-" + i);
            }
        } catch (StoreClosedException expected) {
            // its end
        }
    }

    private static void writeAsyncUntilClosed(Group<String> group, Set<String> acknowledged) {
        try {
            for (int i = 0; ; i++) {
                String key = "async-" + i;
                CompletableFuture<?> write = group.async().put(key, "text").thenRun(() -> acknowledged.add(key));
                if (i % 100 == 0) { // so that not all of the memory is of writes that wait
                    write.join();
                }
            }
        } catch (StoreClosedException expected) {
            // its end
        } catch (CompletionException e) {
            assertThat(e).hasCauseInstanceOf(StoreClosedException.class);
        }
    }

    private static String writeWhenClosing(Group<String> group, CountDownLatch closing) {
        try {
            closing.await();
            group.put("late", "text");
            return "written";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private List<String> keys() {
        try (Store store = Store.open(folder.resolve("store.db"))) {
            return store.group("texts").getAll().keySet().stream().toList();
        }
    }

    private static Store slowlyPurging(CountDownLatch purging, CountDownLatch closing, List<String> told) {
        Store slow = StoreSteps.before(Store.inMemory(), "purgeExpired", () -> {
            purging.countDown();
            closing.await();
        });
        Store telling = StoreSteps.after(slow, "purgeExpired", () -> told.add("purged"));
        return StoreSteps.after(telling, "close", () -> told.add("closed"));
    }

    /** Stopped in the first phase, which comes before that of the web server. */
    private static final class StoppedFirst implements SmartLifecycle {

        private final List<String> told;
        private Optional<Store> store = Optional.empty();
        private Optional<Watch> watch = Optional.empty();

        StoppedFirst(List<String> told) {
            this.told = told;
        }

        void watch(Store watched) {
            store = Optional.of(watched);
            watch = Optional.of(watched.watch());
        }

        @Override
        public void start() {}

        @Override
        public void stop() {
            Store open = store.orElseThrow();
            told.add("old watch closed: " + watch.orElseThrow().isClosed());
            told.add("new watch closed: " + open.watch().isClosed());
            told.add("written: "
                    + open.group("texts").putIfAbsent("late", "text").isPresent());
        }

        @Override
        public boolean isRunning() {
            return true;
        }
    }

    private interface ClosingListener extends ApplicationListener<ContextClosedEvent> {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
    static class Parent {}

    @Configuration(proxyBeanMethods = false)
    static class Child {

        @Bean
        StoppedFirst stoppedFirst(@Qualifier("told") List<String> told) {
            return new StoppedFirst(told);
        }
    }

    /** Stopped when Boot's web servers begin to wait for requests. */
    private static final class WebServerPhase implements SmartLifecycle {

        private final List<String> told;
        private Optional<Watch> watch = Optional.empty();

        WebServerPhase(List<String> told) {
            this.told = told;
        }

        @Override
        public int getPhase() {
            return WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE;
        }

        @Override
        public void start() {}

        @Override
        public void stop() {
            told.add("watch closed: " + watch.orElseThrow().isClosed());
        }

        @Override
        public boolean isRunning() {
            return true;
        }
    }
}
