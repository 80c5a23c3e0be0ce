package dev.ttlstore.internal.delivery;

import java.lang.reflect.Method;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;

/**
 * Creates the threads of handlers: platform threads, or virtual threads, which need reflection because this code is
 * compiled for Java 17.
 */
final class HandlerThreads {

    private static final Logger log = LoggerFactory.getLogger(HandlerThreads.class);

    private static final String NAME = "ttl-store-handler-";

    private final boolean virtual;

    /** They inherit the context class loader of the thread that opens the store, not of the first subscriber. */
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

    private final ThreadFactory platformThreads = BackgroundThreads.named(NAME);

    HandlerThreads(boolean virtual) {
        this.virtual = virtual;
    }

    /** Creates an executor that runs each task immediately in a daemon thread. Its user limits how many there are. */
    ExecutorService executor() {
        return virtual ? virtualThreads() : Executors.newCachedThreadPool(platformThreads());
    }

    private ExecutorService virtualThreads() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            Object named = type.getMethod("name", String.class, long.class).invoke(builder, NAME, 0L);
            type.getMethod("inheritInheritableThreadLocals", boolean.class).invoke(builder, false);
            ThreadFactory factory =
                    withLoader((ThreadFactory) type.getMethod("factory").invoke(named));
            Method perTask = Executors.class.getMethod("newThreadPerTaskExecutor", ThreadFactory.class);
            return (ExecutorService) perTask.invoke(null, factory);
        } catch (ReflectiveOperationException e) {
            log.warn(
                    "Java {} has no virtual threads, so expiry handlers run in platform threads. Use Java 21 or later",
                    Runtime.version().feature());
            return Executors.newCachedThreadPool(platformThreads());
        }
    }

    private ThreadFactory platformThreads() {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = platformThreads.newThread(task);
            thread.setName(NAME + number.getAndIncrement());
            return thread;
        };
    }

    private ThreadFactory withLoader(ThreadFactory threads) {
        return task -> {
            Thread thread = threads.newThread(task);
            thread.setContextClassLoader(loader);
            return thread;
        };
    }
}
