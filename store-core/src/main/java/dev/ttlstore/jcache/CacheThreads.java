package dev.ttlstore.jcache;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.Thrown;

/** The threads of a manager, for asynchronous listeners and loads. They end when they are not needed for a while. */
final class CacheThreads implements Executor {

    private static final Logger log = LoggerFactory.getLogger(CacheThreads.class);
    private static final long IDLE_SECONDS = 10;

    private final ExecutorService threads;

    CacheThreads(ClassLoader loader) {
        BackgroundThreads own = BackgroundThreads.named("ttl-store-jcache");
        this.threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                work -> {
                    Thread thread = own.newThread(work);
                    thread.setContextClassLoader(loader);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy()); // only once it is shut down
    }

    @Override
    public void execute(Runnable work) {
        threads.execute(work);
    }

    /** Lets running work finish, but starts nothing more. */
    void close() {
        threads.shutdown();
    }

    static void log(String cache, Throwable failure) {
        log.warn("Entries of the cache '{}' could not be loaded", cache, Thrown.withoutMessages(failure));
    }
}
