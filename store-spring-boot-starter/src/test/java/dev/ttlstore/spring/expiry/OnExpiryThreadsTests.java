package dev.ttlstore.spring.expiry;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Store;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.spring.StoreRunner;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

/** {@code @OnExpiry} methods run in the kind of threads that the application has chosen. */
@Tag("variant")
class OnExpiryThreadsTests {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"spring.threads.virtual.enabled=false", "nothing.chosen=true"})
    void aMethodRunsInAPlatformThreadUnlessVirtualOnesAreChosen(String property) {
        assertThat(threadOfMethod(property).getClass()).isEqualTo(Thread.class);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void aMethodRunsInAVirtualThreadWhereTheseAreChosen() {
        Thread thread = threadOfMethod("spring.threads.virtual.enabled=true");
        assertThat(thread.getClass().getSimpleName()).isEqualTo("VirtualThread");
    }

    private Thread threadOfMethod(String property) {
        CompletableFuture<Thread> called = new CompletableFuture<>();
        StoreRunner.at(folder)
                .withPropertyValues(property)
                .withBean(Handler.class, () -> new Handler(called))
                .run(context -> {
                    context.getBean(Store.class).group("invites").put("key", "value", Duration.ofMillis(1));
                    called.get(30, SECONDS);
                });
        return called.join();
    }

    static final class Handler {

        private final CompletableFuture<Thread> called;

        Handler(CompletableFuture<Thread> called) {
            this.called = called;
        }

        @OnExpiry(subscriber = "threads", group = "invites")
        void expired(ExpiredEntry<Void> entry) {
            called.complete(Thread.currentThread());
        }
    }
}
