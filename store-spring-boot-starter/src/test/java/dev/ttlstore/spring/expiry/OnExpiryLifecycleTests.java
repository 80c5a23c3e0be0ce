package dev.ttlstore.spring.expiry;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

import dev.ttlstore.Store;
import dev.ttlstore.expiry.ExpirySubscriber;
import dev.ttlstore.spring.StoreRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** From when to when methods with {@code @OnExpiry} are called. */
class OnExpiryLifecycleTests {

    @TempDir
    private Path folder;

    private volatile Instant now = Instant.parse("2030-01-01T00:00:00Z");

    private final List<String> told = new CopyOnWriteArrayList<>();

    private ApplicationContextRunner runner() {
        return StoreRunner.at(folder)
                .withBean(InstantSource.class, () -> () -> now)
                .withBean("told", List.class, () -> told)
                .withPropertyValues("store.purge.enabled=false");
    }

    @Test
    void methodsAreCalledOnceAllElseHasStartedAndNoMoreWhenItStops() {
        runner().withBean(Handler.class).run(context -> expireAndAwait(context.getBean(Store.class), "first"));
        assertThat(told).containsExactly("first");
        told.clear();
        runner().withBean(Handler.class).withBean(Witness.class).run(context -> {
            expireAndAwait(context.getBean(Store.class), "second");
            told.add("running");
        });
        assertThat(told)
                .containsExactly(
                        "created: inactive",
                        "started: inactive",
                        "second",
                        "running",
                        "stopped: inactive",
                        "destroyed: inactive");
    }

    @Test
    void whatExpiresWhileTheApplicationIsDownIsToldAtTheNextStart() {
        runner().withBean(Handler.class)
                .run(context -> context.getBean(Store.class).group("texts").put("key", "later", Duration.ofSeconds(1)));
        now = now.plusSeconds(1);
        runner().withBean(Handler.class).run(context -> {
            context.getBean(Store.class).purgeExpired();
            await().until(() -> told.contains("later"));
        });
        assertThat(told).containsExactly("later");
    }

    @Test
    void aMethodThatRunsMayUseOtherBeansUntilItReturns() {
        closeWhileAMethodRuns(
                runner(), context -> !context.getBean(StoreExpiryHandlers.class).isRunning());
        assertThat(told).containsExactly("sent text", "mail closed");
        told.clear();
        runner().run(context -> assertThat(context.getBean(Store.class).expirySubscribers())
                .as("the call counts")
                .extracting(ExpirySubscriber::pending)
                .containsExactly(0L));
    }

    @Test
    void theWebServerStopsTakingRequestsWhileAMethodStillRuns() {
        closeWhileAMethodRuns(runner().withBean(WebServer.class), context -> told.contains("web server stops"));
        assertThat(told).containsExactly("web server stops", "sent text", "mail closed");
    }

    /** The method goes on until something has come about. */
    private void closeWhileAMethodRuns(
            ApplicationContextRunner runner, Predicate<ConfigurableApplicationContext> hasComeAbout) {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        runner.withBean(Mail.class).withBean(SlowHandler.class, begun, mayEnd).run(context -> {
            expire(context.getBean(Store.class), "text");
            begun.await();
            ConfigurableApplicationContext closing = context.getSourceApplicationContext();
            CompletableFuture<Void> closed = CompletableFuture.runAsync(closing::close);
            await().until(() -> hasComeAbout.test(closing));
            mayEnd.countDown();
            closed.join();
        });
    }

    @Test
    void aContextThatIsStoppedAndStartedAgainGoesOn() {
        runner().withBean(Handler.class).run(context -> {
            Store store = context.getBean(Store.class);
            StoreExpiryHandlers handlers = context.getBean(StoreExpiryHandlers.class);
            ConfigurableApplicationContext stopping = context.getSourceApplicationContext();
            stopping.stop();
            assertThat(handlers.isRunning()).isFalse();
            assertThat(store.expirySubscribers()).noneMatch(ExpirySubscriber::active);
            stopping.start();
            assertThat(handlers.isRunning()).isTrue();
            expireAndAwait(store, "text");
        });
    }

    @Test
    void aStartThatFailsLeavesNoMethodBehind() {
        Store store = Store.inMemory();
        store.onExpired("taken", "texts", entry -> {});
        runner().withBean(Store.class, () -> store, definition -> definition.setDestroyMethodName(""))
                .withBean(Handler.class)
                .withBean(Taken.class)
                .run(context -> assertThat(context).hasFailed());
        assertThat(store.expirySubscribers())
                .filteredOn(ExpirySubscriber::active)
                .extracting(ExpirySubscriber::name)
                .containsExactly("taken");
        store.close();
    }

    @Test
    void theContextsOfAHierarchyHaveMethodsOfTheirOwn() {
        runner().withBean("parent", Handler.class).run(parent -> StoreRunner.at(folder)
                .withParent(parent)
                .withBean("child", OtherHandler.class)
                .run(child -> {
                    Store store = parent.getBean(Store.class);
                    assertThat(child.getBean(Store.class)).isSameAs(store);
                    expire(store, "text");
                    await().untilAsserted(() -> assertThat(told).containsExactlyInAnyOrder("text", "other text"));
                }));
    }

    private void expire(Store store, String value) {
        store.group("texts").put("key", value, Duration.ofSeconds(1));
        now = now.plusSeconds(1);
        store.purgeExpired();
    }

    private void expireAndAwait(Store store, String value) {
        expire(store, value);
        await().until(() -> told.contains(value));
    }

    record Handler(List<String> told) {

        @OnExpiry(subscriber = "mail", group = "texts")
        void onExpired(String value) {
            told.add(value);
        }
    }

    record OtherHandler(List<String> told) {

        @OnExpiry(subscriber = "other", group = "texts")
        void onExpired(String value) {
            told.add("other " + value);
        }
    }

    static class Taken {

        @OnExpiry(subscriber = "taken", group = "texts")
        void onExpired(String value) {}
    }

    record Mail(List<String> told) implements DisposableBean {

        void send(String text) {
            told.add("sent " + text);
        }

        @Override
        public void destroy() {
            told.add("mail closed");
        }
    }

    record SlowHandler(CountDownLatch begun, CountDownLatch mayEnd, Mail mail) {

        @OnExpiry(subscriber = "mail", group = "texts")
        void onExpired(String value) throws InterruptedException {
            begun.countDown();
            mayEnd.await();
            mail.send(value);
        }
    }

    /** In the phase in which Boot's web server shuts down gracefully. */
    static final class WebServer implements SmartLifecycle {

        private final List<String> told;
        private boolean running;

        WebServer(List<String> told) {
            this.told = told;
        }

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
            told.add("web server stops");
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return DEFAULT_PHASE - 1_024;
        }
    }

    /** Looks at the subscriber at each step of the context. */
    static final class Witness implements SmartInitializingSingleton, SmartLifecycle, DisposableBean {

        private final Store store;
        private final List<String> told;
        private boolean running;

        Witness(Store store, List<String> told) {
            this.store = store;
            this.told = told;
        }

        private void look(String step) {
            boolean active = store.expirySubscribers().get(0).active();
            told.add(step + (active ? ": active" : ": inactive"));
        }

        @Override
        public void afterSingletonsInstantiated() {
            look("created");
        }

        @Override
        public void start() {
            running = true;
            look("started");
        }

        @Override
        public void stop() {
            running = false;
            look("stopped");
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return DEFAULT_PHASE - 1;
        }

        @Override
        public void destroy() {
            look("destroyed");
        }
    }
}
