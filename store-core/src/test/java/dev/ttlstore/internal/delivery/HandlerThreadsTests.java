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
        Thread thread = threadOf(new HandlerThreads(false).executor());
        assertThat(thread.getClass()).isEqualTo(Thread.class);
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).startsWith("ttl-store-handler-");
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void handlersRunInVirtualThreadsWhereTheseAreChosen() throws Exception {
        Thread thread = threadOf(new HandlerThreads(true).executor());
        assertThat(thread.getClass().getSimpleName()).isEqualTo("VirtualThread");
        assertThat(thread.getName()).startsWith("ttl-store-handler-");
    }

    @Test
    @EnabledForJreRange(max = JRE.JAVA_20)
    void handlersRunInPlatformThreadsWhereThereAreNoVirtualOnes() throws Exception {
        assertThat(threadOf(new HandlerThreads(true).executor()).getClass()).isEqualTo(Thread.class);
    }

    /** Whichever thread subscribes first, perhaps that of a request. */
    @Test
    void theirClassLoaderIsThatOfTheThreadThatOpensTheStore() throws Exception {
        ClassLoader opening = Thread.currentThread().getContextClassLoader();
        for (boolean virtual : new boolean[] {false, true}) {
            HandlerThreads threads = new HandlerThreads(virtual);
            Thread.currentThread().setContextClassLoader(new ClassLoader(opening) {});
            try {
                assertThat(threadOf(threads.executor()).getContextClassLoader()).isSameAs(opening);
            } finally {
                Thread.currentThread().setContextClassLoader(opening);
            }
        }
    }

    private static Thread threadOf(ExecutorService threads) throws Exception {
        try {
            return threads.submit(Thread::currentThread).get();
        } finally {
            threads.shutdown();
        }
    }
}
