package dev.ttlstore.engine.support;

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What background threads have of the thread that needs one first. */
class BackgroundThreadsTests {

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // shows that it is not inherited
    void aThreadHasNeitherTheGroupNorThePriorityNorTheLocalsOfItsCreator() throws Exception {
        BackgroundThreads threads = BackgroundThreads.named("work");
        InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
        CompletableFuture<String> inherited = new CompletableFuture<>();
        CompletableFuture<Thread> created = new CompletableFuture<>();
        ThreadGroup ofServer = new ThreadGroup("of a server");
        Thread request = new Thread(ofServer, () -> {
            local.set("secret");
            created.complete(threads.newThread(() -> inherited.complete(String.valueOf(local.get()))));
        });
        request.setPriority(Thread.MIN_PRIORITY);
        request.start();
        Thread thread = created.get();
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getPriority()).isEqualTo(Thread.NORM_PRIORITY);
        ThreadGroup group = thread.getThreadGroup();
        assertThat(group).isNotEqualTo(ofServer);
        assertThat(group.getParent()).isNull();
        thread.start();
        assertThat(inherited.get()).isEqualTo("null");
    }
}
