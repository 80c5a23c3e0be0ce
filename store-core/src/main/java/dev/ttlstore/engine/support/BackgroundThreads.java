package dev.ttlstore.engine.support;

import java.util.Objects;
import java.util.concurrent.ThreadFactory;

import org.jspecify.annotations.Nullable;

/**
 * Creates the threads of one kind of background work. They are daemons, and have nothing of the thread that happens to need one first:
 * neither its inheritable thread-locals, such as the security context of a request, nor its priority, nor its group. They inherit the context class
 * loader of the thread that created the factory. A component creates it when its store is opened. Thread-safe.
 *
 * @since 0.1
 */
public final class BackgroundThreads implements ThreadFactory {

    private final String name;
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

    private BackgroundThreads(String name) {
        this.name = Objects.requireNonNull(name, "'name' must not be null");
    }

    /**
     * Creates a factory.
     *
     * @param name the name of each thread
     * @return the factory
     */
    public static BackgroundThreads named(String name) {
        return new BackgroundThreads(name);
    }

    /**
     * Creates a thread.
     *
     * @param work what it does
     * @return the thread, to be started by the caller
     */
    @Override
    @SuppressWarnings("ThreadPriorityCheck") // it relies on none: that of the caller would be inherited
    public Thread newThread(Runnable work) {
        Thread thread = new Thread(outermostGroup(), work, name, 0, false);
        thread.setDaemon(true);
        thread.setPriority(Thread.NORM_PRIORITY);
        thread.setContextClassLoader(loader);
        return thread;
    }

    /** A server may interrupt or forget the group of a thread that it has started for an application. */
    private static ThreadGroup outermostGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        for (ThreadGroup parent = group.getParent(); parent != null; parent = group.getParent()) {
            group = parent;
        }
        return group;
    }
}
