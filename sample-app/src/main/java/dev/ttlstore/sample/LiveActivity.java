package dev.ttlstore.sample;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Service;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The live pages that are open: so many and no more, for each takes a thread. They end with their clients, and before the web
 * server stops, which would wait for them otherwise.
 */
@Service
class LiveActivity implements SmartLifecycle {

    private static final int LAST_WORDS_SECONDS = 5;

    private final Activity activity;
    private final Semaphore free;
    private final Set<LiveStream> open = ConcurrentHashMap.newKeySet();
    private volatile @Nullable ExecutorService threads;

    LiveActivity(Activity activity, SecretsProperties properties) {
        this.activity = activity;
        this.free = new Semaphore(properties.streams());
    }

    /** Tells what happens in a team from now on, and first what has happened after a place in the history of the store. */
    SseEmitter open(String team, long after) {
        ExecutorService running = threads;
        if (running == null || !free.tryAcquire()) {
            throw new TooManyStreamsException();
        }
        LiveStream stream = new LiveStream(activity, team, after);
        open.add(stream);
        try {
            running.execute(() -> {
                try (stream) {
                    stream.run();
                } finally {
                    open.remove(stream);
                    free.release();
                }
            });
        } catch (RuntimeException e) { // refused by threads that have just been told to stop
            open.remove(stream);
            stream.close();
            free.release();
            throw new TooManyStreamsException();
        }
        return stream.emitter();
    }

    int size() {
        return open.size();
    }

    @Override
    public void start() {
        CustomizableThreadFactory daemons = new CustomizableThreadFactory("live-");
        daemons.setDaemon(true);
        threads = Executors.newCachedThreadPool(daemons);
    }

    @Override
    public void stop() {
        ExecutorService running = threads;
        threads = null;
        if (running == null) {
            return;
        }
        running.shutdown();
        open.forEach(LiveStream::close);
        try {
            running.awaitTermination(LAST_WORDS_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // Who writes to a client that takes nothing is not waited for.
        running.shutdownNow();
    }

    @Override
    public boolean isRunning() {
        return threads != null;
    }

    /** Stopped first, before the web server waits for requests to end. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }
}
