package dev.ttlstore.internal.delivery;

import java.util.concurrent.ExecutorService;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

@Promise(17)
class HandlerThreadsTests {

    @Test
    void handlersRunInPlatformThreadsThatKeepNoProgramRunning() throws Exception {
        Thread thread = threadOf(HandlerThreads.create(false));
        assertThat(thread.getClass()).isEqualTo(Thread.class);
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).startsWith("ttl-store-handler-");
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void handlersRunInVirtualThreadsWhereTheseAreChosen() throws Exception {
        Thread thread = threadOf(HandlerThreads.create(true));
        assertThat(thread.getClass().getSimpleName()).isEqualTo("VirtualThread");
        assertThat(thread.getName()).startsWith("ttl-store-handler-");
    }

    @Test
    @EnabledForJreRange(max = JRE.JAVA_20)
    void handlersRunInPlatformThreadsWhereThereAreNoVirtualOnes() throws Exception {
        assertThat(threadOf(HandlerThreads.create(true)).getClass()).isEqualTo(Thread.class);
    }

    private static Thread threadOf(ExecutorService threads) throws Exception {
        try {
            return threads.submit(Thread::currentThread).get();
        } finally {
            threads.shutdown();
        }
    }
}
